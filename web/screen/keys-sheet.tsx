import type { JSX } from 'preact'
import { ModalSheet } from '../look/sheet.tsx'
import { say } from './device-say.ts'
import { actions, helping } from './keys.ts'

const actionsHere = () => Object.entries(actions).filter(([, { may }]) => may?.() !== false)

/** What the keys do; "?" opens it. */
export function KeysSheet(): JSX.Element {
  return (
    <ModalSheet title={say('keys.title')} onClose={() => (helping.value = false)}>
      <dl class="keys">
        {actionsHere().map(([key, { words }]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{say(words)}</dd>
          </div>
        ))}
      </dl>
    </ModalSheet>
  )
}
