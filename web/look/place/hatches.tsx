import type { JSX } from 'preact'
import type { DrawnKind } from './area-kind.ts'

export interface Hatch {
  readonly width: number
  readonly height: number
  /** Degrees. */
  readonly turn: number
  readonly path: string
  readonly stroke: number
}

/** One pattern per area type, so that a map without colours is readable. */
export const hatches: Partial<Record<DrawnKind, Hatch>> = {
  paddock: {
    width: 22,
    height: 18,
    turn: 0,
    path: 'M5.5 7L4 4M6.5 7V2.5M7.5 7L9 4M16.5 16L15 13M17.5 16v-4.5M18.5 16l1.5-3',
    stroke: 1,
  },
  field: { width: 7, height: 7, turn: -7, path: 'M0 3.5h7', stroke: 1 },
  bed: { width: 5, height: 5, turn: -7, path: 'M0 2.5h5', stroke: 2 },
  water: { width: 16, height: 7, turn: 0, path: 'M0 4q4-3 8 0t8 0', stroke: 1 },
  building: { width: 5, height: 5, turn: 45, path: 'M0 2.5h5', stroke: 1 },
  greenhouse: { width: 6, height: 6, turn: 8, path: 'M0 3h6M3 0v6', stroke: 1 },
}

/** SVG definitions of all patterns (`url(#hatch-field)`), once per page. */
export function Patterns(): JSX.Element {
  return (
    <svg class="patterns" width="0" height="0" aria-hidden="true">
      <defs>
        {Object.entries(hatches).map(([kind, { width, height, turn, path, stroke }]) => (
          <pattern
            key={kind}
            id={`hatch-${kind}`}
            width={width}
            height={height}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${turn})`}
          >
            <path class={`pt pt-${kind}`} d={path} stroke-width={stroke} />
          </pattern>
        ))}
      </defs>
    </svg>
  )
}
