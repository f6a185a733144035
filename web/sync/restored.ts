import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { CopyDatabase } from '../store/database.ts'
import type { Entry, SentEntry } from '../store/entry.ts'
import { grouped } from '../store/grouped.ts'
import { memory } from '../store/memory.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import { sameValue } from '../store/same-value.ts'
import { type Lost, noteEdition, putBack } from '../store/sent.ts'
import type { Fields, KeptRecord, RecordType } from '../store/types.ts'
import { ask, NoAnswer } from './ask.ts'
import { readRecords } from './read-records.ts'
import { sendNow } from './sending.ts'
import { dismiss, notice } from './status.ts'

const nothing: Lost = { entries: [], photos: [] }

const found = signal(nothing)

const countOf = ({ entries, photos }: Lost) => entries.length + photos.length

/** How much was sent from here and is not on the farm, which was put back to an earlier state. */
export const lacking: ReadonlySignal<number> = computed(() => countOf(found.value))

/** Looks after the farm was put back to an earlier state, until a person has decided; what the farm has is not asked for again. */
export async function lookForLacking(database: CopyDatabase): Promise<void> {
  const edition = memory.me.peek()?.edition
  if (edition === undefined) return
  const isDoubted = (await readMeta(database, 'doubted')) === true
  const sent = await database.getAll('sent')
  const doubted = sent.filter((one) => one.edition !== null && (isDoubted || one.edition !== edition))
  const farm = await farmNow(doubted)
  const entries = await lostAmong(doubted, farm)
  const lost = { entries, photos: await photosLost(database, doubted, farm) }
  const isKept = ({ n }: SentEntry) => !entries.some((one) => one.n === n)
  await noteEdition(database, doubted.filter(isKept), edition)
  found.value = lost
  if (countOf(lost) > 0) notice({ kind: 'lacking', count: countOf(lost) })
  else if (isDoubted) await writeMeta(database, { doubted: null })
}

async function farmNow(sent: readonly SentEntry[]): Promise<FarmNow> {
  const types = [...new Set(sent.map(({ entry }) => entry.type))]
  const records = (await Promise.all(types.map((type) => recordsOf(type, sent)))).flat()
  const there = new Map(records.map((record) => [record.uuid, record]))
  const asked = new Map<string, Promise<boolean>>()
  return {
    record: (uuid) => there.get(uuid),
    knowsSet: (changeSet) => {
      const known = asked.get(changeSet) ?? isKnown(changeSet)
      asked.set(changeSet, known)
      return known
    },
  }
}

function recordsOf(type: RecordType, sent: readonly SentEntry[]): Promise<KeptRecord[]> {
  const uuids = sent.filter(({ entry }) => entry.type === type).map(({ entry }) => entry.record)
  return readRecords(type, [...new Set(uuids)], memory.catalogue.peek())
}

async function isKnown(changeSet: string): Promise<boolean> {
  const answer = await ask(`/sets/${changeSet}.json?limit=1`)
  if (answer.failure !== null && answer.status !== 404) throw new NoAnswer(answer)
  return answer.failure === null
}

/** Photos that were added to what is there, and not taken back since. */
async function photosLost(database: CopyDatabase, sent: readonly SentEntry[], farm: FarmNow): Promise<string[]> {
  const undone = new Set(sent.map(({ entry }) => entry.undoes))
  const lost: string[] = []
  for (const { uuid, record, set, state, changeSet } of await database.getAll('photo')) {
    const isWanted = state === 'sent' && !undone.has(set) && farm.record(record) !== undefined
    if (isWanted && typeof changeSet === 'string' && !(await farm.knowsSet(changeSet))) lost.push(uuid)
  }
  return lost
}

export async function sendAgain(): Promise<void> {
  await decided(putBack)
  sendNow()
}

/** Nobody is asked again. */
export function leaveOut(): Promise<void> {
  return decided((database, { entries }) => noteEdition(database, entries, null))
}

async function decided(work: (database: CopyDatabase, lost: Lost) => Promise<void>): Promise<void> {
  const lost = found.value
  const { database } = memory
  found.value = nothing
  dismiss('lacking')
  if (database === null) return
  await work(database, lost)
  await writeMeta(database, { doubted: null })
}

/** The farm after it was put back to an earlier state. */
export interface FarmNow {
  readonly record: (uuid: string) => KeptRecord | undefined
  /** Whether a set of changes was made on it, whatever became of it since. */
  readonly knowsSet: (changeSet: string) => Promise<boolean>
}

/** What has to be sent again, so that each record becomes what it was. */
export async function lostAmong(sent: readonly SentEntry[], farm: FarmNow): Promise<SentEntry[]> {
  const lost: SentEntry[] = []
  for (const ofRecord of grouped(sent, ({ entry }) => entry.record).values())
    lost.push(...(await lostOfRecord(ofRecord, farm)))
  return lost
}

/** What was removed in the end need not be made first; what is made anew need not come back from the trash. */
async function lostOfRecord(sent: readonly SentEntry[], farm: FarmNow): Promise<SentEntry[]> {
  const last = sent.at(-1)
  if (last?.entry.method === 'DELETE') return (await isLost(last, farm)) ? [asReadNow(last, farm)] : []
  const lost: SentEntry[] = []
  for (const one of sent) if (one.entry.method !== 'DELETE' && (await isLost(one, farm))) lost.push(one)
  const isMadeAnew = lost.some(({ entry }) => entry.method === 'POST')
  return lost.filter(({ entry }) => !isMadeAnew || entry.method !== 'RESTORE')
}

/** Others may have changed since what was sent, so it is not the record alone that tells. */
async function isLost({ entry, changeSet }: SentEntry, { record, knowsSet }: FarmNow): Promise<boolean> {
  if (isAsSent(entry, record(entry.record))) return false
  return changeSet === null || !(await knowsSet(changeSet))
}

function isAsSent({ method, body }: Entry, now: KeptRecord | undefined): boolean {
  if (method === 'DELETE' || now === undefined) return method === 'DELETE' && now === undefined
  const fields: Fields = { ...now.fields, name: now.name }
  return Object.keys(body).every((field) => sameValue(body[field], fields[field]))
}

/** Nobody has changed it since it was read: then there is nobody to be asked before it is removed. */
function asReadNow(sent: SentEntry, { record }: FarmNow): SentEntry {
  const { entry } = sent
  const now = record(entry.record)
  const isUnchanged = now !== undefined && sameValue(entry.base?.changed, now.fields.changed)
  return isUnchanged ? { ...sent, entry: { ...entry, tag: now.version } } : sent
}
