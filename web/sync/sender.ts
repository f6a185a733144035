import type { CopyDatabase } from '../store/database.ts'
import { grouped } from '../store/grouped.ts'
import { memory } from '../store/memory.ts'
import { type Amendment, amendEntries, discardPhotos, entriesOf, freeze, photosOf } from '../store/outbox.ts'
import type { Entry, WaitingPhoto } from '../store/outbox-entry.ts'
import { clockAhead } from '../words/format.ts'
import { sendPhoto } from './photos.ts'
import { askServer, type Failure, renewMe, tellServer, verdictOn } from './request.ts'
import { backoff, everyMinute, sendSignal, syncNow } from './schedule.ts'
import {
  acknowledgeByReading,
  needsPerson,
  pauseSending,
  problemOf,
  type SendContext,
  type SendStep,
} from './send-outcome.ts'
import { sendSet } from './send-set.ts'
import { announceSendState, type SendState } from './send-state.ts'

/** Sends the queue, and whatever is added to it, as long as this tab is the leader. */
export async function keepSending(database: CopyDatabase, until: AbortSignal): Promise<void> {
  let failures = 0
  const fail = (error: unknown) => failed(error, until)
  while (!until.aborted) {
    const step = await sendAll({ database, author: null }, until).catch(fail)
    failures = step.kind === 'pause' ? failures + 1 : 0
    const pause = step.kind === 'pause' ? backoff(failures, step.retryAfter) : everyMinute
    announceSendState(stateAfter(step, pause))
    if (step.kind === 'rest' || memory.me.peek()?.trial) await renewMe()
    if (step.kind === 'rest') syncNow()
    if (step.kind === 'pause' && step.retryAfter !== null) await waitAsTold(pause, until)
    else await sendSignal.wait(pause, until)
  }
}

/** Honours `Retry-After`: an earlier request by the user only shows the time left. */
async function waitAsTold(pause: number, until: AbortSignal): Promise<void> {
  const notBefore = performance.now() + pause
  const left = () => notBefore - performance.now()
  await sendSignal.wait(pause, until)
  while (left() > 0 && !until.aborted) {
    announceSendState({ kind: 'pausing', until: Date.now() + left() })
    await sendSignal.wait(left(), until)
  }
}

/** The device itself may fail, for example with a full disk: try again. After a logout the database is closed. */
function failed(error: unknown, until: AbortSignal): SendStep {
  if (!until.aborted) console.error(error)
  return { kind: 'pause', retryAfter: null }
}

function stateAfter(step: SendStep, pause: number): SendState {
  return step.kind === 'rest' ? { kind: 'resting', why: step.why } : { kind: 'pausing', until: Date.now() + pause }
}

/** Sends one set after the other, text before photos, until nothing is left or everything has to wait. */
export async function sendAll(context: SendContext, until: AbortSignal): Promise<SendStep> {
  let [last, inVain] = ['', 0]
  for (;;) {
    const found = until.aborted ? null : await nextOf(context)
    if (found === null) return { kind: 'next' }
    inVain = found.what === last ? inVain + 1 : 0
    if (inVain > mostInVain) return { kind: 'pause', retryAfter: null }
    last = found.what
    announceSendState({ kind: 'under-way' })
    const step = await found.send()
    if (step.kind !== 'next') return step
  }
}

/** Maximum number of immediate retries of a rebased entry: another user may change the same record all the time. */
const mostInVain = 5

interface SendTask {
  readonly what: string
  readonly send: () => Promise<SendStep>
}

async function nextOf(context: SendContext): Promise<SendTask | null> {
  await correctTimes(context.database)
  const entries = await entriesOf(context.database)
  const [set] = sendable(entries)
  if (set !== undefined) return { what: String(set[0]?.n), send: () => sendEntries(context, set) }
  const photo = sendablePhoto(entries, await photosOf(context.database))
  return photo === undefined ? null : { what: photo.uuid, send: () => sendPhoto(context, photo) }
}

function sendEntries(context: SendContext, set: readonly Entry[]): Promise<SendStep> {
  const undone = set[0]?.undoes
  return undone === undefined ? sendSet(context, set) : sendUndo(context, set, undone)
}

const tolerated = 120

/** A time this close to the time of saving was meant as "now". */
const aboutNow = 900

/**
 * Corrects the times of entries saved before the clock of this device was compared with the server's. Days that the
 * user chose stay as they are, and so do entries that were on the wire.
 */
async function correctTimes(database: CopyDatabase): Promise<void> {
  const ahead = Math.round(clockAhead() / 1000)
  const unsure = (await database.getAll('outbox')).filter(({ clock, tries }) => clock === 'unsure' && tries === 0)
  if (unsure.length > 0)
    await amendEntries(database, ...unsure.map(({ n }): Amendment => [n, (entry) => corrected(entry, ahead)]))
}

/** A clock that is right now may have been corrected since, as phones do when they find a network. */
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

/** Undoes a set on the server by its change set ids; entry by entry where these are unknown. */
async function sendUndo(context: SendContext, set: readonly Entry[], undone: string): Promise<SendStep> {
  const photos = (await photosOf(context.database)).filter((photo) => photo.set === undone)
  const mayBeThere = photos.find(({ state }) => state === 'frozen')
  if (mayBeThere !== undefined) return sendPhoto(context, mayBeThere)
  await dropPhotos(context, photos)
  const changeSets = await changeSetsOf(context, undone)
  const [first] = set
  if (changeSets.length === 0 || first === undefined) return oneByOne(context, set)
  await freeze(
    context.database,
    set.map(({ n }) => n),
  )
  for (const changeSet of changeSets) {
    const headers = { 'idempotency-key': `${first.key}-${changeSet}` }
    const answer = await tellServer(`/changes/${changeSet}/undo`, { method: 'POST', headers })
    if (answer.failure !== null && !(await isUndone(changeSet, answer))) return refused(context, set, answer)
  }
  return acknowledgeByReading(context, set, null)
}

/** Photos that the server does not have yet are not needed any more. */
function dropPhotos({ database }: SendContext, photos: readonly WaitingPhoto[]): Promise<void> {
  return discardPhotos(
    database,
    photos.map(({ uuid }) => uuid),
  )
}

/** Photos were added after the set, so they are undone before it. */
async function changeSetsOf({ database }: SendContext, set: string): Promise<string[]> {
  const sent = (await database.getAll('sent')).filter((row) => row.set === set)
  const photos = (await database.getAll('photo')).filter((photo) => photo.set === set && photo.state === 'sent')
  const lastFirst = photos.sort((one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0))
  const names = [...lastFirst, ...sent].map(({ changeSet }) => changeSet ?? null)
  return sent.length > 0 && names.every((name) => name !== null) ? [...new Set(names)] : []
}

async function oneByOne(context: SendContext, [first]: readonly Entry[]): Promise<SendStep> {
  return sendSet(context, first === undefined ? [] : [first])
}

interface SetOfChanges {
  readonly undone_by: string | null
}

/** Undone before, or without any effect: both are the wanted result. */
async function isUndone(changeSet: string, answer: Failure): Promise<boolean> {
  if (verdictOn(answer) === 'missing') return true
  if (answer.status !== 409) return false
  const known = await askServer<SetOfChanges>(`/sets/${changeSet}.json`)
  return known.failure === null && known.body.undone_by !== null
}

async function refused(context: SendContext, set: readonly Entry[], answer: Failure): Promise<SendStep> {
  const verdict = verdictOn(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict !== 'refused') return pauseSending(answer)
  return needsPerson(context, set, new Map(set.map(({ n }) => [n, problemOf(answer)])))
}

/** The sets to send, in order, without those that wait for the user or depend on one that does. */
export function sendable(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const stuck: Entry[] = []
  const sets: Entry[][] = []
  for (const set of setsIn(entries)) {
    const waits = set.some(
      (entry) => entry.state === 'needs-you' || stuck.some((other) => belongTogether(other, entry)),
    )
    if (waits) stuck.push(...set)
    else sets.push(set)
  }
  return sets
}

/** The first photo whose record has no unsent entries: text goes first. */
export function sendablePhoto(entries: readonly Entry[], photos: readonly WaitingPhoto[]): WaitingPhoto | undefined {
  const unsent = new Set(entries.map(({ record }) => record))
  return photos.find(({ state, record }) => state !== 'needs-you' && state !== 'sent' && !unsent.has(record))
}

/** A set has the position of its first entry. */
const setsIn = (entries: readonly Entry[]) => [
  ...grouped(
    entries.toSorted((one, other) => one.n - other.n),
    ({ set }) => set,
  ).values(),
]

/** Entries of one record, or of which one refers to the other, keep their order. */
export const belongTogether = (one: Entry, other: Entry): boolean =>
  one.record === other.record || one.after.includes(other.record) || other.after.includes(one.record)
