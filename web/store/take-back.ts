import type { Change } from './change.ts'
import type { CopyDatabase } from './database.ts'
import { knownOf, putSet } from './enqueue.ts'
import type { Edit, Entry, PhotoEntry } from './entry.ts'
import { sameValue } from './same-value.ts'
import { maybeTaken } from './taken.ts'
import type { Fields, KeptRecord } from './types.ts'
import { newUuid } from './uuid.ts'
import { type Writing, writeOutbox } from './write-outbox.ts'

/** Takes a set back: what was never on the wire is dropped, and of the rest the contrary is written behind it, as one set. */
export function takeBack(database: CopyDatabase, set: string): Promise<void> {
  return writeOutbox(database, async (writing) => {
    const entries = await writing.objectStore('outbox').getAll()
    const sent = (await writing.objectStore('sent').getAll()).map(({ entry }) => entry)
    const touched = [...sent, ...entries].filter(isOf(set))
    const known = await knownOf(
      writing,
      touched.map(({ record }) => record),
    )
    const stays = (entry: Entry) => maybeTaken(entry) || isReferredTo(entry, entries, set)
    await dropUnsent(
      writing,
      entries.filter((entry) => !stays(entry)),
      set,
    )
    const changes: Change[] = undoingChanges([...sent, ...entries.filter(stays)].filter(isOf(set)), set, known)
    if (changes.length > 0) await putSet(writing, { set: newUuid(), changes, undoes: set }, known)
  })
}

const isOf =
  (set: string) =>
  (entry: Entry): boolean =>
    entry.set === set || entry.edits.some((edit) => edit.set === set)

/** What others have been written on cannot be dropped from under them. */
const isReferredTo = ({ method, record }: Entry, entries: readonly Entry[], set: string) =>
  method === 'POST' && entries.some((other) => other.set !== set && other.after.includes(record))

async function dropUnsent(writing: Writing, entries: readonly Entry[], set: string): Promise<void> {
  const made = new Set(
    entries.filter((entry) => entry.set === set && entry.method === 'POST').map(({ record }) => record),
  )
  const outbox = writing.objectStore('outbox')
  for (const entry of entries) {
    if (entry.set === set || made.has(entry.record)) await outbox.delete(entry.n)
    else if (isOf(set)(entry)) await outbox.put(withoutEdit(entry, set))
  }
  await dropPhotos(writing, ({ set: own, record }) => own === set || made.has(record))
}

/** One that is on the wire may arrive: it goes when the farm has answered. */
async function dropPhotos(writing: Writing, isDropped: (photo: PhotoEntry) => boolean): Promise<void> {
  const photos = writing.objectStore('photo')
  for (const photo of await photos.getAll())
    if ((photo.state === 'waiting' || photo.state === 'needs-you') && isDropped(photo)) await photos.delete(photo.uuid)
}

/** An entry as it would be without an edit that was merged into it; later edits of the same fields stay. */
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
  before: { ...edit.before, [field]: value } satisfies Fields,
})

type Known = (uuid: string) => KeptRecord | undefined

/** What undoes a set that the server has, or may have, the last first. */
function undoingChanges(entries: readonly Entry[], set: string, known: Known): Change[] {
  return entries
    .toReversed()
    .map((entry) => (entry.set === set ? contrary(entry, known) : contraryOfEdit(entry, set, known)))
}

function contrary(entry: Entry, known: Known): Change {
  const { type, record: uuid, method, base, body } = entry
  if (method === 'PUT') return backTo(entry, valuesIn(base ?? {}, Object.keys(body)), known)
  if (method === 'DELETE') return { verb: 'restore', type, uuid, read: recordBefore(entry) }
  return { verb: 'remove', type, uuid, read: known(uuid) ?? recordAfter(entry) }
}

function contraryOfEdit(entry: Entry, set: string, known: Known): Change {
  const { before = {} } = entry.edits.find((edit) => edit.set === set) ?? {}
  const base = entry.base ?? {}
  const values = Object.entries(before).map(([field, value]) => [field, value ?? base[field] ?? null])
  return backTo(entry, Object.fromEntries(values), known)
}

/** Fields as they were. Where somebody has changed one of them since, the sender has to compare first. */
function backTo(entry: Entry, fields: Fields, known: Known): Change {
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

const valueIn = (record: KeptRecord, field: string) => (field === 'name' ? record.name : record.fields[field])

const valuesIn = (base: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, base[name] ?? null]))

function recordBefore({ record, type, id, bundle, name, tag, base }: Entry): KeptRecord {
  const { name: _, ...fields } = base ?? {}
  return { uuid: record, type, id, bundle, name, version: tag ?? '', fields }
}

function recordAfter(entry: Entry): KeptRecord {
  const { name = entry.name, ...fields } = { ...entry.base, ...entry.body }
  return { ...recordBefore(entry), name: String(name), fields }
}
