import type { ComponentChildren, JSX } from 'preact'
import { lastShown } from '../../look/beside.ts'
import { Title } from '../../look/title.tsx'
import { useUp } from '../../look/up.ts'
import { MapFoot } from '../map-foot.tsx'
import { say } from './say.ts'
import type { Surface } from './use-surface.ts'

interface DrawPageProps {
  readonly title: string
  readonly surface: Surface
  /** What Enter and Backspace do on the map, and what its arrows move. */
  readonly keys?: DrawKeys
  /** Left out where nothing is aimed at. */
  readonly hasCross?: boolean
  /** Over the map. */
  readonly chips?: ComponentChildren
  readonly children: ComponentChildren
}

export interface DrawKeys {
  readonly label: string
  readonly onEnter?: () => void
  readonly onBackspace?: () => void
}

/** The map, and below it, on a desk beside it, what is to be done. */
export function DrawPage({ title, surface, keys, hasCross, chips, children }: DrawPageProps): JSX.Element {
  useUp({ to: lastShown.value, label: title, icon: 'close' })
  return (
    <div class="draw-page">
      <section class="draw-map" aria-label={say('draw.map')}>
        <div
          class="map"
          ref={surface.target}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map
          tabIndex={0}
          role="application"
          aria-label={keys?.label ?? say('draw.keys-look')}
          onKeyDown={(event) => followKey(event, surface, keys)}
        />
        {hasCross === true && <Cross />}
        {chips !== undefined && <div class="map-chips">{chips}</div>}
        <MapFoot inUse={surface} />
      </section>
      <section class="draw-sheet" aria-label={title}>
        <Title text={title} class="out" />
        {children}
      </section>
    </div>
  )
}

function Cross(): JSX.Element {
  const arms = 'M-30 0h22M8 0h22M0-30v22M0 8v22'
  return (
    <svg class="cross" viewBox="-32 -32 64 64" aria-hidden="true">
      <path class="edge" d={arms} />
      <path d={`${arms}M-18 0a18 18 0 1 0 36 0a18 18 0 1 0-36 0M0 0h.01`} />
    </svg>
  )
}

const step = 32
const smallStep = 4

const ways: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

function followKey(event: KeyboardEvent, { plan }: Surface, keys: DrawKeys | undefined): void {
  const { key, shiftKey } = event
  const way = ways[key]
  const length = shiftKey ? smallStep : step
  if (way !== undefined) plan.value?.moveBy(way[0] * length, way[1] * length)
  else if (key === '+' || key === '=') plan.value?.zoomBy(1)
  else if (key === '-') plan.value?.zoomBy(-1)
  else if (key === 'Enter' && keys?.onEnter !== undefined) keys.onEnter()
  else if (key === 'Backspace' && keys?.onBackspace !== undefined) keys.onBackspace()
  else return
  event.preventDefault()
}
