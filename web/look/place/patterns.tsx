import type { JSX } from 'preact'
import { hatches } from './hatches.ts'

/** Once in the page: what `url(#hatch-field)` and its like mean in all drawings. */
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
