import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type CopyDatabase, readMeta, writeMeta } from '../store/database.ts'
import { sameValue } from '../store/field-values.ts'
import { grouped } from '../store/grouped.ts'
import { memory } from '../store/memory.ts'
import { writeOutbox } from '../store/outbox.ts'
import type { Entry, SentEntry } from '../store/outbox-entry.ts'
import type { LocalRecord, LocalRecordType, RecordFields } from '../store/record.ts'
import { readRecords } from './list-pages.ts'
import { askServer, ServerFailure } from './request.ts'
import { sendNow } from './send-state.ts'
import { dismiss, notice } from './status.ts'

const nothing: LostEntries = { entries: [], photos: [] }

const found = signal(nothing)

const countOf = ({ entries, photos }: LostEntries) => entries.length + photos.length

/** Number of entries and photos that a restore of the server has lost. */
export const lostCount: ReadonlySignal<number> = computed(() => countOf(found.value))

/** After the server was restored from a backup: finds sent entries that it does not have any more. */
export async function findLost(database: CopyDatabase): Promise<void> {
  const edition = memory.me.peek()?.edition
  if (edition === undefined) return
  const isDoubted = (await readMeta(database, 'doubted')) === true
  const sent = await database.getAll('sent')
  const doubted = sent.filter((one) => one.edition !== null && (isDoubted || one.edition !== edition))
  const farm = await farmNow(doubted)
  const entries = await selectLost(doubted, farm)
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
  const lookups = new Map<string, Promise<boolean>>()
  return {
    record: (uuid) => there.get(uuid),
    knowsSet: (changeSet) => {
      const known = lookups.get(changeSet) ?? isKnown(changeSet)
      lookups.set(changeSet, known)
      return known
    },
  }
}

function recordsOf(type: LocalRecordType, sent: readonly SentEntry[]): Promise<LocalRecord[]> {
  const uuids = sent.filter(({ entry }) => entry.type === type).map(({ entry }) => entry.record)
  return readRecords(type, [...new Set(uuids)], memory.catalogue.peek())
}

async function isKnown(changeSet: string): Promise<boolean> {
  const answer = await askServer(`/sets/${changeSet}.json?limit=1`)
  if (answer.failure !== null && answer.status !== 404) throw new ServerFailure(answer)
  return answer.failure === null
}

/** Sent photos that are missing on records that still exist, unless they were undone. */
async function photosLost(database: CopyDatabase, sent: readonly SentEntry[], farm: FarmNow): Promise<string[]> {
  const undone = new Set(sent.map(({ entry }) => entry.undoes))
  const lost: string[] = []
  for (const { uuid, record, set, state, changeSet } of await database.getAll('photo')) {
    const isWanted = state === 'sent' && !undone.has(set) && farm.record(record) !== undefined
    if (isWanted && typeof changeSet === 'string' && !(await farm.knowsSet(changeSet))) lost.push(uuid)
  }
  return lost
}

export async function resendLost(): Promise<void> {
  await decided(putBack)
  sendNow()
}

/** The user is not asked again. */
export function dismissLost(): Promise<void> {
  return decided((database, { entries }) => noteEdition(database, entries, null))
}

async function decided(work: (database: CopyDatabase, lost: LostEntries) => Promise<void>): Promise<void> {
  const lost = found.value
  const { database } = memory
  found.value = nothing
  dismiss('lacking')
  if (database === null) return
  await work(database, lost)
  await writeMeta(database, { doubted: null })
}

/** The farm as the restored server has it. */
interface FarmNow {
  readonly record: (uuid: string) => LocalRecord | undefined
  /** True if the change set is in its journal. */
  readonly knowsSet: (changeSet: string) => Promise<boolean>
}

/** Selects the entries to send again, so that each record becomes what it was. */
export async function selectLost(sent: readonly SentEntry[], farm: FarmNow): Promise<SentEntry[]> {
  const lost: SentEntry[] = []
  for (const ofRecord of grouped(sent, ({ entry }) => entry.record).values())
    lost.push(...(await lostOfRecord(ofRecord, farm)))
  return lost
}

/** A record that ends removed is not created again; one that is created again is not restored from the trash. */
async function lostOfRecord(sent: readonly SentEntry[], farm: FarmNow): Promise<SentEntry[]> {
  const last = sent.at(-1)
  if (last?.entry.method === 'DELETE') return (await isLost(last, farm)) ? [asReadNow(last, farm)] : []
  const lost: SentEntry[] = []
  for (const one of sent) if (one.entry.method !== 'DELETE' && (await isLost(one, farm))) lost.push(one)
  const isMadeAnew = lost.some(({ entry }) => entry.method === 'POST')
  return lost.filter(({ entry }) => !isMadeAnew || entry.method !== 'RESTORE')
}

/** Another user may have changed the record since, so the change set decides as well. */
async function isLost({ entry, changeSet }: SentEntry, { record, knowsSet }: FarmNow): Promise<boolean> {
  if (isAsSent(entry, record(entry.record))) return false
  return changeSet === null || !(await knowsSet(changeSet))
}

function isAsSent({ method, body }: Entry, now: LocalRecord | undefined): boolean {
  if (method === 'DELETE' || now === undefined) return method === 'DELETE' && now === undefined
  const fields: RecordFields = { ...now.fields, name: now.name }
  return Object.keys(body).every((field) => sameValue(body[field], fields[field]))
}

/** If nobody has changed it since it was read, the removal needs no confirmation. */
function asReadNow(sent: SentEntry, { record }: FarmNow): SentEntry {
  const { entry } = sent
  const now = record(entry.record)
  const isUnchanged = now !== undefined && sameValue(entry.base?.changed, now.fields.changed)
  return isUnchanged ? { ...sent, entry: { ...entry, tag: now.version } } : sent
}

/** Sent entries that the server lost, and UUIDs of photos. */
interface LostEntries {
  readonly entries: readonly SentEntry[]
  readonly photos: readonly string[]
}

/** Notes the edition on which entries were found; null to stop asking. */
async function noteEdition(database: CopyDatabase, sent: readonly SentEntry[], edition: string | null): Promise<void> {
  if (sent.length === 0) return
  await writeOutbox(database, async (transaction) => {
    const store = transaction.objectStore('sent')
    for (const { n } of sent) {
      const known = await store.get(n)
      if (known !== undefined) await store.put({ ...known, edition })
    }
  })
}

/** Queues lost entries again at their old position, with the photos of their records. */
function putBack(database: CopyDatabase, { entries, photos }: LostEntries): Promise<void> {
  return writeOutbox(database, async (transaction) => {
    for (const { n, entry } of entries) {
      await transaction.objectStore('outbox').put({ ...entry, state: 'waiting', problem: null, failures: 0 })
      await transaction.objectStore('sent').delete(n)
    }
    const records = new Set(entries.map(({ entry }) => entry.record))
    const store = transaction.objectStore('photo')
    for (const photo of await store.getAll())
      if (photo.state === 'sent' && (records.has(photo.record) || photos.includes(photo.uuid)))
        await store.put({ ...photo, state: 'waiting' })
  })
}
