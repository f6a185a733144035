import type { JSX } from 'preact'
import { type DrawnKind, kindOf } from '../look/place/area-kind.ts'
import { occupantsOf } from '../look/place/occupants.ts'
import { terms } from '../store/local-copy.ts'
import { restOf } from '../store/stays.ts'
import { say } from '../words/say.ts'
import { type RestStep, restSteps } from './map-theme.ts'

/** Legend of the rest colours. */
export function RestKey(): JSX.Element {
  return (
    <ul class="rest-key small" aria-label={say('map.rest.title')}>
      {restSteps.map((step) => (
        <li key={step}>
          <i class={`swatch rest-${step}`} />
          {say(`map.rest.${step}`)}
        </li>
      ))}
    </ul>
  )
}

/** Grazed now, or days of rest; undefined if never grazed as far as known. */
export type Rest = 'grazed' | number | undefined

export function restAt(area: string, at: number): Rest {
  const record = terms.value.get(area)
  if (record === undefined || !grazed.includes(kindOf(record))) return undefined
  const days = restOf(area, at)
  if (days !== null) return days
  return occupantsOf(area, at).some(({ isAnimal }) => isAnimal) ? 'grazed' : undefined
}

/** Types that are grazed; nothing grows back in a barn or tunnel. */
const grazed: readonly DrawnKind[] = ['paddock', 'field', 'other', 'property']

const steps: readonly { readonly most: number; readonly step: RestStep }[] = [
  { most: 14, step: 'short' },
  { most: 30, step: 'some' },
]

export function restStep(rest: Rest): RestStep | undefined {
  if (rest === undefined || rest === 'grazed') return rest
  return steps.find(({ most }) => rest <= most)?.step ?? 'long'
}
