import { type AreaKind, areaKinds } from '../look/place/area-kind.ts'

/** How long animals have been away, in steps that the map has a colour for. */
export const restSteps = ['grazed', 'short', 'some', 'long'] as const
export type RestStep = (typeof restSteps)[number]

interface Paint {
  readonly fill: string
  readonly edge: string
}

/** The colours of the theme, taken from its style sheet, so that canvas and pages cannot differ. */
export interface MapTheme {
  readonly kinds: Readonly<Record<AreaKind, Paint>>
  readonly rest: Readonly<Record<RestStep, Paint>>
  readonly ground: string
  readonly sheet: string
  readonly ink: string
  readonly leaf: string
  readonly water: string
  readonly line: number
  readonly chosenLine: number
  readonly hatch: number
  readonly serif: string
  readonly sans: string
  /** Text grows with the reader's setting. */
  readonly textScale: number
}

export function readMapTheme(): MapTheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const paint = (name: string): Paint => ({ fill: token(name), edge: token(`${name}-e`) })
  const isSun = document.documentElement.dataset.theme === 'sun'
  return {
    kinds: { ...record(areaKinds, paint), property: { fill: 'transparent', edge: token('other-e') } },
    rest: record(restSteps, (step) => paint(`rest-${step}`)),
    ground: token('ground'),
    sheet: token('sheet'),
    ink: token('ink'),
    leaf: token('leaf'),
    water: token('water-e'),
    line: Number.parseFloat(token('mapline')),
    chosenLine: isSun ? 5 : 3.5,
    hatch: isSun ? 0.55 : 0.42,
    serif: token('place'),
    sans: token('sans'),
    textScale: Number.parseFloat(style.fontSize) / 16,
  }
}

function record<Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>
}

/** Calls whenever the theme changes, until the function that it answers is called. */
export function whenThemeChanges(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
