import type { CopyDatabase } from '../store/database.ts'
import type { Entry } from '../store/entry.ts'
import { sendable, sendablePhoto } from '../store/order.ts'
import { entriesOf, photosOf } from '../store/outbox.ts'
import { correctTimes } from './device-times.ts'
import { errand, everyMinute, wakeUp } from './occasions.ts'
import type { Outgoing, Step } from './outgoing.ts'
import { pauseAfter } from './pauses.ts'
import { sendPhoto } from './send-photo.ts'
import { sendSet } from './send-set.ts'
import { sendUndo } from './send-undo.ts'
import { announceSending, type Sending } from './sending.ts'

/** Sends what waits, and whatever comes to it, as long as this tab has the turn. */
export async function keepSending(database: CopyDatabase, until: AbortSignal): Promise<void> {
  let failures = 0
  const fail = (error: unknown) => failed(error, until)
  while (!until.aborted) {
    const step = await sendAll({ database, author: null }, until).catch(fail)
    failures = step.kind === 'pause' ? failures + 1 : 0
    const pause = step.kind === 'pause' ? pauseAfter(failures, step.retryAfter) : everyMinute
    announceSending(stateAfter(step, pause))
    if (step.kind === 'rest') wakeUp()
    if (step.kind === 'pause' && step.retryAfter !== null) await waitAsTold(pause, until)
    else await errand.wait(pause, until)
  }
}

/** The server has said when to come again: whoever asks for it earlier hears that it is not time yet. */
async function waitAsTold(pause: number, until: AbortSignal): Promise<void> {
  const notBefore = performance.now() + pause
  const left = () => notBefore - performance.now()
  await errand.wait(pause, until)
  while (left() > 0 && !until.aborted) {
    announceSending({ kind: 'pausing', until: Date.now() + left() })
    await errand.wait(left(), until)
  }
}

/** The device itself may fail, by having no room for a moment: that is no reason to give up. Whoever leaves closes the copy. */
function failed(error: unknown, until: AbortSignal): Step {
  if (!until.aborted) console.error(error)
  return { kind: 'pause', retryAfter: null }
}

function stateAfter(step: Step, pause: number): Sending {
  if (step.kind === 'pause') return { kind: 'pausing', until: Date.now() + pause }
  return step.kind === 'rest' ? { kind: 'resting', why: step.why } : { kind: 'idle' }
}

/** One after the other, text before photos, until nothing is left that can go, or something is in the way of all of it. */
export async function sendAll(outgoing: Outgoing, until: AbortSignal): Promise<Step> {
  let [last, inVain] = ['', 0]
  for (;;) {
    const found = until.aborted ? null : await nextOf(outgoing)
    if (found === null) return { kind: 'next' }
    inVain = found.what === last ? inVain + 1 : 0
    if (inVain > mostInVain) return { kind: 'pause', retryAfter: null }
    last = found.what
    announceSending({ kind: 'under-way' })
    const step = await found.send()
    if (step.kind !== 'next') return step
  }
}

/** How often something goes out again at once because it had to be put otherwise: others may be changing the same all the time. */
const mostInVain = 5

interface Errand {
  readonly what: string
  readonly send: () => Promise<Step>
}

async function nextOf(outgoing: Outgoing): Promise<Errand | null> {
  await correctTimes(outgoing.database)
  const entries = await entriesOf(outgoing.database)
  const [set] = sendable(entries)
  if (set !== undefined) return { what: String(set[0]?.n), send: () => sendEntries(outgoing, set) }
  const photo = sendablePhoto(entries, await photosOf(outgoing.database))
  return photo === undefined ? null : { what: photo.uuid, send: () => sendPhoto(outgoing, photo) }
}

function sendEntries(outgoing: Outgoing, set: readonly Entry[]): Promise<Step> {
  const undone = set[0]?.undoes
  return undone === undefined ? sendSet(outgoing, set) : sendUndo(outgoing, set, undone)
}
