import { newUuid } from '../../src/client/changes.ts'
import type { CopyDatabase } from './database.ts'
import { putSet, recordLookup } from './enqueue.ts'
import { sameValue } from './field-values.ts'
import { type OutboxTransaction, writeOutbox } from './outbox.ts'
import { type Edit, type Entry, type LocalChange, mayBeOnServer, type PhotoEntry } from './outbox-entry.ts'
import type { LocalRecord, RecordFields } from './record.ts'

/** Undoes a set: drops what was never on the wire, and queues the inverse of the rest as one set. */
export function undoSet(database: CopyDatabase, set: string): Promise<void> {
  return writeOutbox(database, async (transaction) => {
    const entries = await transaction.objectStore('outbox').getAll()
    const sent = (await transaction.objectStore('sent').getAll()).map(({ entry }) => entry)
    const touched = [...sent, ...entries].filter(isOf(set))
    const known = await recordLookup(
      transaction,
      touched.map(({ record }) => record),
    )
    const stays = (entry: Entry) => mayBeOnServer(entry) || isReferredTo(entry, entries, set)
    await dropUnsent(
      transaction,
      entries.filter((entry) => !stays(entry)),
      set,
    )
    const changes: LocalChange[] = undoingChanges([...sent, ...entries.filter(stays)].filter(isOf(set)), set, known)
    if (changes.length > 0) await putSet(transaction, { set: newUuid(), changes, undoes: set }, known)
  })
}

const isOf =
  (set: string) =>
  (entry: Entry): boolean =>
    entry.set === set || entry.edits.some((edit) => edit.set === set)

/** An entry that later entries refer to cannot be dropped. */
const isReferredTo = ({ method, record }: Entry, entries: readonly Entry[], set: string) =>
  method === 'POST' && entries.some((other) => other.set !== set && other.after.includes(record))

async function dropUnsent(transaction: OutboxTransaction, entries: readonly Entry[], set: string): Promise<void> {
  const created = new Set(
    entries.filter((entry) => entry.set === set && entry.method === 'POST').map(({ record }) => record),
  )
  const outbox = transaction.objectStore('outbox')
  for (const entry of entries) {
    if (entry.set === set || created.has(entry.record)) await outbox.delete(entry.n)
    else if (isOf(set)(entry)) await outbox.put(withoutEdit(entry, set))
  }
  await dropPhotos(transaction, ({ set: own, record }) => own === set || created.has(record))
}

/** A photo on the wire may arrive: it is removed after the answer. */
async function dropPhotos(transaction: OutboxTransaction, isDropped: (photo: PhotoEntry) => boolean): Promise<void> {
  const photos = transaction.objectStore('photo')
  for (const photo of await photos.getAll())
    if ((photo.state === 'waiting' || photo.state === 'needs-you') && isDropped(photo)) await photos.delete(photo.uuid)
}

/** Removes an edit that was merged into an entry; later edits of the same fields stay. */
export function withoutEdit(entry: Entry, set: string): Entry {
  const at = entry.edits.findIndex((edit) => edit.set === set)
  const undone = entry.edits[at]
  if (undone === undefined) return entry
  const body: Record<string, unknown> = { ...entry.body }
  const edits = entry.edits.toSpliced(at, 1)
  for (const [field, value] of Object.entries(undone.before)) {
    const later = edits.findIndex((edit, index) => index >= at && field in edit.before)
    const next = edits[later]
    if (next !== undefined) edits[later] = putBefore(next, field, value)
    else if (value === undefined) delete body[field]
    else body[field] = value
  }
  return { ...entry, body, edits, name: typeof body.name === 'string' ? body.name : entry.name }
}

const putBefore = (edit: Edit, field: string, value: unknown): Edit => ({
  ...edit,
  before: { ...edit.before, [field]: value } satisfies RecordFields,
})

type RecordLookup = (uuid: string) => LocalRecord | undefined

/** The inverse changes of a set that the server has or may have, the last entry first. */
function undoingChanges(entries: readonly Entry[], set: string, known: RecordLookup): LocalChange[] {
  return entries
    .toReversed()
    .map((entry) => (entry.set === set ? inverseOf(entry, known) : inverseOfEdit(entry, set, known)))
}

function inverseOf(entry: Entry, known: RecordLookup): LocalChange {
  const { type, record: uuid, method, base, body } = entry
  if (method === 'PUT') return backTo(entry, valuesIn(base ?? {}, Object.keys(body)), known)
  if (method === 'DELETE') return { verb: 'restore', type, uuid, read: recordBefore(entry) }
  return { verb: 'remove', type, uuid, read: known(uuid) ?? recordAfter(entry) }
}

function inverseOfEdit(entry: Entry, set: string, known: RecordLookup): LocalChange {
  const { before = {} } = entry.edits.find((edit) => edit.set === set) ?? {}
  const base = entry.base ?? {}
  const values = Object.entries(before).map(([field, value]) => [field, value ?? base[field] ?? null])
  return backTo(entry, Object.fromEntries(values), known)
}

/** Puts fields back. If another user has changed one of them since, the entry has no version and is rebased first. */
function backTo(entry: Entry, fields: RecordFields, known: RecordLookup): LocalChange {
  const after = recordAfter(entry)
  const now = known(entry.record)
  const isOurs =
    now !== undefined && Object.keys(fields).every((field) => sameValue(valueIn(now, field), valueIn(after, field)))
  return {
    verb: 'change',
    type: entry.type,
    uuid: entry.record,
    fields,
    read: isOurs ? now : { ...after, version: '' },
  }
}

const valueIn = (record: LocalRecord, field: string) => (field === 'name' ? record.name : record.fields[field])

const valuesIn = (base: RecordFields, names: readonly string[]): RecordFields =>
  Object.fromEntries(names.map((name) => [name, base[name] ?? null]))

function recordBefore({ record, type, id, bundle, name, tag, base }: Entry): LocalRecord {
  const { name: _, ...fields } = base ?? {}
  return { uuid: record, type, id, bundle, name, version: tag ?? '', fields }
}

function recordAfter(entry: Entry): LocalRecord {
  const { name = entry.name, ...fields } = { ...entry.base, ...entry.body }
  return { ...recordBefore(entry), name: String(name), fields }
}
