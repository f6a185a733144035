import { type ReadonlySignal, useComputed, useSignalEffect } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { usesAcres } from '../look/place/area-size.ts'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import { chosenLayer } from './map-state.ts'
import { positionState, startPosition, stopPosition } from './position.ts'
import type { FarmMapInUse } from './use-farm-map.ts'

interface MapFootProps {
  readonly inUse: Pick<FarmMapInUse, 'plan' | 'metresPerPixel'>
  readonly children?: ComponentChildren
}

/** Controls above the sheet: scale, attribution, zoom, my position. */
export function MapControls({ inUse: { plan, metresPerPixel }, children }: MapFootProps): JSX.Element {
  const ground = chosenLayer()
  return (
    <div class="map-foot">
      <div class="map-measures">
        {children}
        <PositionWords />
        {ground !== undefined && <p class="credit">{ground.credit}</p>}
        <Scale metresPerPixel={metresPerPixel} />
      </div>
      <div class="map-btns">
        <div class="zoom">
          <button type="button" aria-label={say('map.farther')} onClick={() => plan.value?.zoomBy(-1)}>
            <svg class="ic" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M5 12h14" />
            </svg>
          </button>
          <button type="button" aria-label={say('map.closer')} onClick={() => plan.value?.zoomBy(1)}>
            <Icon name="plus" />
          </button>
        </div>
        <MeButton onFound={(at) => plan.value?.showPlace(at)} />
      </div>
    </div>
  )
}

/** Centres the map on the first fix, then leaves it to the user. */
function MeButton({ onFound }: { readonly onFound: (at: readonly [number, number]) => void }): JSX.Element {
  const state = positionState.value
  const isOn = state.kind === 'found' || state.kind === 'waiting'
  useSignalEffect(() => {
    const { value } = positionState
    if (value.kind === 'found' && value.isFirst) onFound(value.position.at)
  })
  return (
    <div class={isOn ? 'me on' : 'me'}>
      <button
        type="button"
        aria-pressed={isOn}
        aria-label={say('map.me-spoken')}
        onClick={isOn ? stopPosition : startPosition}
      >
        <Icon name="locate" />
        <span>{say('map.me')}</span>
      </button>
    </div>
  )
}

/** Says why the position is not available. */
function PositionWords(): JSX.Element {
  const state = positionState.value
  return (
    <p class="position-words small" role="status">
      {state.kind === 'off'
        ? ''
        : state.kind === 'found'
          ? say('map.position.found', { metres: figure(state.position.accuracy) })
          : say(`map.position.${state.kind}`)}
    </p>
  )
}

const words = { m: 'map.metres', km: 'map.kilometres', ft: 'map.feet', mi: 'map.miles' } as const
const longest = 110

/** Scale bar with a round length. */
function Scale({ metresPerPixel }: { readonly metresPerPixel: ReadonlySignal<number> }): JSX.Element {
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

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
const feet = 0.3048
const mile = 1609.344

interface ScaleBar {
  readonly pixels: number
  readonly amount: number
  readonly unit: 'm' | 'km' | 'ft' | 'mi'
}

/** Longest round length that fits into the given pixels. */
export function scaleBar(
  metresPerPixel: number,
  { most, units }: { readonly most: number; readonly units: 'metric' | 'us' },
): ScaleBar {
  const longest = most * metresPerPixel
  const fitting = (unit: number): number | undefined => steps.findLast((step) => step * unit <= longest)
  const bar = (amount: number, unit: ScaleBar['unit'], length: number): ScaleBar => ({
    pixels: (amount * length) / metresPerPixel,
    amount,
    unit,
  })
  if (units === 'metric') {
    const metres = fitting(1) ?? 1
    return metres >= 1000 ? bar(metres / 1000, 'km', 1000) : bar(metres, 'm', 1)
  }
  const miles = fitting(mile)
  return miles === undefined ? bar(fitting(feet) ?? 1, 'ft', feet) : bar(miles, 'mi', mile)
}
