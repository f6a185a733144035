import { type Amendment, amend, discardPhotos, freeze } from '../store/amend.ts'
import type { CopyDatabase } from '../store/database.ts'
import type { Entry, PhotoWaiting } from '../store/entry.ts'
import { sendable, sendablePhoto } from '../store/order.ts'
import { entriesOf, photosOf } from '../store/outbox.ts'
import { clockAhead } from '../words/format.ts'
import { ask, type Failure } from './ask.ts'
import { errand, everyMinute, wakeUp } from './occasions.ts'
import { needsPerson, type Outgoing, pause, problemOf, type Step } from './outgoing.ts'
import { pauseAfter } from './pauses.ts'
import { sendPhoto } from './send-photo.ts'
import { sendSet } from './send-set.ts'
import { announceSending, type Sending } from './sending.ts'
import { settleRead } from './settle.ts'
import { tell } from './tell.ts'
import { verdictOn } from './verdict.ts'

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

const tolerated = 120

/** A time so close to that of saving was meant as "now". */
const aboutNow = 900

/**
 * What was saved before the clock of this device could be compared gets the time that it was on the farm. Days that a person chose
 * stay as they are, and so does whatever was on the wire.
 */
async function correctTimes(database: CopyDatabase): Promise<void> {
  const ahead = Math.round(clockAhead() / 1000)
  const unsure = (await database.getAll('outbox')).filter(({ clock, tries }) => clock === 'unsure' && tries === 0)
  if (unsure.length > 0)
    await amend(database, ...unsure.map(({ n }): Amendment => [n, (entry) => corrected(entry, ahead)]))
}

/** A clock that is right now was put right since, as phones do when they find a network: then what was known of it before holds. */
export function corrected(entry: Entry, ahead: number): Partial<Entry> {
  const compared = { clock: 'compared' } as const
  const { at, body, tries } = entry
  const off = ahead - entry.ahead
  if (tries > 0) return {}
  if (Math.abs(ahead) <= tolerated || Math.abs(off) <= tolerated) return compared
  const time = Number(body.timestamp)
  const isNow = body.timestamp !== undefined && Math.abs(time - at) <= aboutNow
  return { ...compared, ahead, at: at - off, ...(isNow ? { body: { ...body, timestamp: String(time - off) } } : {}) }
}

/** Takes back on the server what a set has done there; where nobody has heard its name, entry by entry. */
async function sendUndo(outgoing: Outgoing, set: readonly Entry[], undone: string): Promise<Step> {
  const photos = (await photosOf(outgoing.database)).filter((photo) => photo.set === undone)
  const mayBeThere = photos.find(({ state }) => state === 'frozen')
  if (mayBeThere !== undefined) return sendPhoto(outgoing, mayBeThere)
  await dropPhotos(outgoing, photos)
  const changeSets = await changeSetsOf(outgoing, undone)
  const [first] = set
  if (changeSets.length === 0 || first === undefined) return oneByOne(outgoing, set)
  await freeze(
    outgoing.database,
    set.map(({ n }) => n),
  )
  for (const changeSet of changeSets) {
    const headers = { 'idempotency-key': `${first.key}-${changeSet}` }
    const answer = await tell(`/changes/${changeSet}/undo`, { method: 'POST', headers })
    if (answer.failure !== null && !(await isUndone(changeSet, answer))) return refused(outgoing, set, answer)
  }
  return settleRead(outgoing, set, null)
}

/** What the farm has not taken by now need not be there any more. */
function dropPhotos({ database }: Outgoing, photos: readonly PhotoWaiting[]): Promise<void> {
  return discardPhotos(
    database,
    photos.map(({ uuid }) => uuid),
  )
}

/** The photos of a set were added after it, so they go before it. */
async function changeSetsOf({ database }: Outgoing, set: string): Promise<string[]> {
  const sent = (await database.getAll('sent')).filter((row) => row.set === set)
  const photos = (await database.getAll('photo')).filter((photo) => photo.set === set && photo.state === 'sent')
  const lastFirst = photos.sort((one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0))
  const names = [...lastFirst, ...sent].map(({ changeSet }) => changeSet ?? null)
  return sent.length > 0 && names.every((name) => name !== null) ? [...new Set(names)] : []
}

async function oneByOne(outgoing: Outgoing, [first]: readonly Entry[]): Promise<Step> {
  return sendSet(outgoing, first === undefined ? [] : [first])
}

interface SetOfChanges {
  readonly undone_by: string | null
}

/** Undone before, or nothing that was changed by it: both is what was wanted. */
async function isUndone(changeSet: string, answer: Failure): Promise<boolean> {
  if (verdictOn(answer) === 'missing') return true
  if (answer.status !== 409) return false
  const known = await ask<SetOfChanges>(`/sets/${changeSet}.json`)
  return known.failure === null && known.body.undone_by !== null
}

async function refused(outgoing: Outgoing, set: readonly Entry[], answer: Failure): Promise<Step> {
  const verdict = verdictOn(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict !== 'refused') return pause(answer)
  return needsPerson(outgoing, set, new Map(set.map(({ n }) => [n, problemOf(answer)])))
}
