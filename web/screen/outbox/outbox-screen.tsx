import type { JSX } from 'preact'
import { Title } from '../../look/title.tsx'
import { needing, waiting } from '../../sync/waiting.ts'
import { say } from '../device-say.ts'
import { Lacking } from './lacking.tsx'
import { NeedsYou } from './needs-you.tsx'
import { OthersWaiting } from './others-waiting.tsx'
import { DeviceStanding } from './standing.tsx'
import { Waiting } from './waiting.tsx'

/** Saved? Sent? What needs a person, what waits, and how this device stands. */
export function OutboxScreen(): JSX.Element {
  const isEmpty = needing.value.length === 0 && waiting.value.length === 0
  return (
    <>
      <div class="head">
        <Title text={say('outbox.title')} />
      </div>
      {isEmpty && <p class="words soft">{say('outbox.nothing')}</p>}
      <NeedsYou />
      <Lacking />
      <Waiting />
      <OthersWaiting />
      <DeviceStanding />
    </>
  )
}
