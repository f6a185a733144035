import { type ReadonlySignal, useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import { usesAcres } from '../look/place/area-size.ts'
import { type ScaleBar, scaleBar } from './grid.ts'
import { say } from './say.ts'

const words = { m: 'map.metres', km: 'map.kilometres', ft: 'map.feet', mi: 'map.miles' } as const
const longest = 110

/** How long something round is on the map. */
export function Scale({ metresPerPixel }: { readonly metresPerPixel: ReadonlySignal<number> }): JSX.Element {
  const bar = useComputed<ScaleBar>(() =>
    scaleBar(metresPerPixel.value, { most: longest, units: usesAcres() ? 'us' : 'metric' }),
  )
  const { pixels, amount, unit } = bar.value
  const quarter = pixels / 4
  return (
    <div class="scale">
      <svg width={pixels + 1} height="10" aria-hidden="true">
        <rect class="paper" x=".5" y="2.5" width={pixels} height="5" />
        <rect class="ink" x=".5" y="2.5" width={quarter} height="5" />
        <rect class="ink" x={2 * quarter + 0.5} y="2.5" width={quarter} height="5" />
      </svg>
      {say(words[unit], { amount })}
    </div>
  )
}
