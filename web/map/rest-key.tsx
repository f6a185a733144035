import type { JSX } from 'preact'
import { restSteps } from './map-theme.ts'
import { say } from './say.ts'

/** What the colours of rest mean. */
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
