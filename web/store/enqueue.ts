import { newUuid } from '../../src/client/changes.ts'
import { clockAhead, isClockCompared, now } from '../words/format.ts'
import type { CopyDatabase } from './database.ts'
import { forTheWire, numbersIn, uuidsIn } from './field-values.ts'
import { memory } from './memory.ts'
import { type OutboxTransaction, writeEntries, writeOutbox } from './outbox.ts'
import { type Entry, type LocalChange, mayBeOnServer, type NewPhoto, type PhotoEntry } from './outbox-entry.ts'
import { overlayUnsent, type Resolve } from './overlay.ts'
import { type LocalRecord, type LocalRecordType, type RecordFields, recordOf, typeOnTheWire } from './record.ts'

interface NewSet {
  readonly set: string
  readonly changes: readonly LocalChange[]
  readonly photos?: readonly NewPhoto[]
  /** The set that this one undoes. */
  readonly undoes?: string
  /** Key of the draft; deleted in the same transaction, so that nothing is saved twice. */
  readonly draft?: string | undefined
}

/** Appends a set of changes to the queue. It is durable when this resolves. */
export async function enqueue(database: CopyDatabase, wanted: NewSet): Promise<void> {
  const { changes, photos = [], draft } = wanted
  const uuids = [...changes.map(({ uuid }) => uuid), ...photos.map(({ record }) => record)]
  const write = photos.length > 0 ? writeOutbox : writeEntries
  await write(database, async (transaction) => {
    if (draft !== undefined) await transaction.objectStore('draft').delete(draft)
    return putSet(transaction, wanted, await recordLookup(transaction, uuids))
  })
}

type RecordLookup = (uuid: string) => LocalRecord | undefined

/** Reads records of the copy inside the transaction, so that no entry can be acknowledged in between. */
export async function recordLookup(transaction: OutboxTransaction, uuids: readonly string[]): Promise<RecordLookup> {
  const rows = await Promise.all([...new Set(uuids)].map((uuid) => transaction.objectStore('record').get(uuid)))
  const records = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.uuid, recordOf(row)]])))
  return (uuid) => records.get(uuid)
}

/** Returns the queue after the write. */
export async function putSet(
  transaction: OutboxTransaction,
  wanted: NewSet,
  known: RecordLookup,
): Promise<readonly Entry[]> {
  const store = transaction.objectStore('outbox')
  const context = planContextOf(await store.getAll(), wanted, known)
  const { added, edited } = planEntries(wanted.changes, context)
  const changed = new Map(edited.map((entry) => [entry.n, entry]))
  const entries = context.entries.map((entry) => changed.get(entry.n) ?? entry)
  for (const entry of edited) await store.put(entry)
  for (const entry of added) entries.push({ ...entry, n: await store.add(entry as Entry) })
  const typeOf = (uuid: string) => entries.find(({ record }) => record === uuid)?.type
  for (const photo of wanted.photos ?? [])
    await transaction
      .objectStore('photo')
      .add(photoOf(photo, context, typeOf(photo.record) ?? known(photo.record)?.type ?? 'log'))
  return entries
}

function planContextOf(entries: readonly Entry[], { set, undoes }: NewSet, known: RecordLookup): PlanContext {
  return {
    set,
    ...(undoes === undefined ? {} : { undoes }),
    at: now(),
    clock: isClockCompared() ? 'compared' : 'unsure',
    ahead: Math.round(clockAhead() / 1000),
    entries,
    ofServer: known,
    resolve: (uuid) => memory.byUuid.get(uuid),
    numbered: ({ type, bundle, body }) =>
      numbersIn(body, memory.catalogue.value?.types[typeOnTheWire[type]][bundle]?.fields ?? {}).flatMap(
        ([to, id]) => (to === 'asset' ? memory.assets : memory.terms).value.get(id)?.uuid ?? [],
      ),
  }
}

function photoOf({ record, field, file }: NewPhoto, { set, at }: PlanContext, type: LocalRecordType): PhotoEntry {
  const name = file instanceof File ? file.name : ''
  const shared = { state: 'waiting', tries: 0, failures: 0, problem: null } as const
  return { uuid: newUuid(), record, type, field, set, name, bytes: file, size: file.size, at, ...shared }
}

/** An entry without a position in the queue. */
type NewEntry = Omit<Entry, 'n'>

interface OutboxPlan {
  readonly added: readonly NewEntry[]
  /** Waiting entries with a later edit merged in. */
  readonly edited: readonly Entry[]
}

export interface PlanContext {
  readonly set: string
  readonly at: number
  readonly clock: Entry['clock']
  readonly ahead: number
  readonly undoes?: string
  /** The queue, in order. */
  readonly entries: readonly Entry[]
  readonly ofServer: (uuid: string) => LocalRecord | undefined
  readonly resolve: Resolve
  /** The UUIDs that a body refers to by number. */
  readonly numbered: (of: Pick<Entry, 'type' | 'bundle' | 'body'>) => readonly string[]
}

/** Plans a set of changes: new entries, and edits merged into entries that were not sent yet. */
export function planEntries(changes: readonly LocalChange[], context: PlanContext): OutboxPlan {
  const added: NewEntry[] = []
  const edited = new Map<number, Entry>()
  for (const change of changes) {
    const into = change.verb === 'change' ? editable(change.uuid, added, { ...context, edited }) : undefined
    if (into === undefined || change.verb !== 'change' || !reaches(into, change.fields, context))
      added.push(newEntry(change, added, context))
    else edited.set(into.n, withEdit(into, change, context))
  }
  return { added, edited: [...edited.values(), ...requeued(edited, context)] }
}

/** Entries that were refused together with an edited one are sent again with it. */
function requeued(edited: ReadonlyMap<number, Entry>, { entries }: PlanContext): Entry[] {
  const wasRefused = (entry: Entry) => entry.state === 'needs-you' && !mayBeOnServer(entry)
  const sets = new Set(entries.filter((entry) => edited.has(entry.n) && wasRefused(entry)).map(({ set }) => set))
  return entries
    .filter((entry) => sets.has(entry.set) && !edited.has(entry.n) && wasRefused(entry))
    .map((entry) => ({ ...entry, ...freshRequest() }))
}

/** The last entry of a record, if a new edit may be merged into it. */
function editable(
  uuid: string,
  added: readonly NewEntry[],
  { entries, edited, undoes }: PlanContext & { readonly edited: ReadonlyMap<number, Entry> },
): Entry | undefined {
  const last = entries.findLast(({ record }) => record === uuid)
  if (last === undefined || undoes !== undefined || added.some(({ record }) => record === uuid)) return undefined
  const isChange = (last.method === 'POST' || last.method === 'PUT') && last.undoes === undefined
  return isChange && !mayBeOnServer(last) ? (edited.get(last.n) ?? last) : undefined
}

/** True if every record that the fields refer to is created before the entry. */
function reaches(entry: Entry, fields: RecordFields, { entries }: PlanContext): boolean {
  const wanted = uuidsIn(forTheWire(fields))
  return !entries.some(({ method, record, n }) => method === 'POST' && n > entry.n && wanted.includes(record))
}

function withEdit(entry: Entry, change: LocalChange & { verb: 'change' }, context: PlanContext): Entry {
  const fields = forTheWire(change.fields)
  const read = readOf(change, [], context)
  const body = { ...entry.body, ...fields }
  const newFields = Object.keys(fields).filter((name) => !(name in entry.body))
  const valuesBefore = Object.fromEntries(newFields.map((name) => [name, fieldsOf(read)[name]]))
  return {
    ...entry,
    body,
    base: entry.base === null ? null : { ...entry.base, ...valuesBefore },
    name: nameIn(fields) ?? entry.name,
    after: referred({ ...entry, body }, context),
    ...freshRequest(),
    edits: [
      ...entry.edits,
      { set: context.set, before: Object.fromEntries(Object.keys(fields).map((name) => [name, entry.body[name]])) },
    ],
  }
}

function newEntry(change: LocalChange, added: readonly NewEntry[], context: PlanContext): NewEntry {
  const { set, at, clock, ahead, undoes } = context
  const shared = { key: newUuid(), set, type: change.type, record: change.uuid, at, clock, ahead, ...waitingState }
  const own = change.verb === 'make' ? creation(change, context) : ofRecord(change, added, context)
  return { ...shared, ...own, ...(undoes === undefined ? {} : { undoes }) }
}

/** Resets an entry: a new request with a new idempotency key. */
export const freshRequest = () => ({ state: 'waiting', tries: 0, failures: 0, problem: null, key: newUuid() }) as const

const waitingState = { state: 'waiting', tries: 0, failures: 0, problem: null, edits: [] } as const

type EntryContent = Pick<Entry, 'method' | 'id' | 'bundle' | 'name' | 'body' | 'base' | 'tag' | 'after'>

function creation({ type, uuid, bundle, fields }: LocalChange & { verb: 'make' }, context: PlanContext): EntryContent {
  const body = forTheWire(fields)
  const after = referred({ type, bundle, body }, context)
  return { method: 'POST', id: uuid, bundle, name: nameIn(body) ?? '', body, base: null, tag: null, after }
}

const methods = { change: 'PUT', remove: 'DELETE', restore: 'RESTORE' } as const

function ofRecord(
  change: Exclude<LocalChange, { verb: 'make' }>,
  added: readonly NewEntry[],
  context: PlanContext,
): EntryContent {
  const read = readOf(change, added, context)
  const body = change.verb === 'change' ? forTheWire(change.fields) : {}
  return {
    method: methods[change.verb],
    id: read.id,
    bundle: read.bundle,
    name: nameIn(body) ?? read.name,
    body,
    base: fieldsOf(read),
    tag: read.version === '' ? null : read.version,
    after: referred({ ...read, body }, context),
  }
}

/** The record as the user read it before the change. */
function readOf(
  change: Exclude<LocalChange, { verb: 'make' }>,
  added: readonly NewEntry[],
  { entries, ofServer, resolve }: PlanContext,
): LocalRecord {
  const earlier = [...entries, ...added.map((entry) => ({ ...entry, n: 0 }))]
  const own = earlier.filter(({ record }) => record === change.uuid)
  const read = change.read ?? overlayUnsent(ofServer(change.uuid), own, resolve)
  if (read === undefined) throw new Error(`Nothing is known of ${change.type} ${change.uuid}.`)
  return read
}

const fieldsOf = ({ fields, name }: LocalRecord): RecordFields => ({ ...fields, name })

const nameIn = ({ name }: RecordFields) => (typeof name === 'string' ? name : undefined)

const referred = (of: Pick<Entry, 'type' | 'bundle' | 'body'>, { numbered }: PlanContext) => [
  ...new Set([...uuidsIn(of.body), ...numbered(of)]),
]
