import { clockAhead, isClockCompared, now } from '../words/format.ts'
import type { Change, NewPhoto } from './change.ts'
import type { CopyDatabase } from './database.ts'
import type { Entry, PhotoEntry } from './entry.ts'
import { memory } from './memory.ts'
import { type Planning, planned } from './plan.ts'
import { numbersIn } from './references.ts'
import { recordOf, typeOnTheWire } from './row.ts'
import type { KeptRecord, RecordType } from './types.ts'
import { newUuid } from './uuid.ts'
import { type Writing, writeEntries, writeOutbox } from './write-outbox.ts'

interface NewSet {
  readonly set: string
  readonly changes: readonly Change[]
  readonly photos?: readonly NewPhoto[]
  /** The set that this one takes back. */
  readonly undoes?: string
  /** The draft that becomes this: it ends in the same moment, so that nothing is written twice. */
  readonly draft?: string | undefined
}

/** Writes a set of changes behind all that waits already: it outlasts the device before this ends. */
export async function enqueue(database: CopyDatabase, wanted: NewSet): Promise<void> {
  const { changes, photos = [], draft } = wanted
  const uuids = [...changes.map(({ uuid }) => uuid), ...photos.map(({ record }) => record)]
  const write = photos.length > 0 ? writeOutbox : writeEntries
  await write(database, async (writing) => {
    if (draft !== undefined) await writing.objectStore('draft').delete(draft)
    return putSet(writing, wanted, await knownOf(writing, uuids))
  })
}

type Known = (uuid: string) => KeptRecord | undefined

/** What the copy has of records that are to be changed, while nothing can move from the outbox into it. */
export async function knownOf(writing: Writing, uuids: readonly string[]): Promise<Known> {
  const rows = await Promise.all([...new Set(uuids)].map((uuid) => writing.objectStore('record').get(uuid)))
  const records = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.uuid, recordOf(row)]])))
  return (uuid) => records.get(uuid)
}

/** All entries that there are then. */
export async function putSet(writing: Writing, wanted: NewSet, known: Known): Promise<readonly Entry[]> {
  const store = writing.objectStore('outbox')
  const planning = planningOf(await store.getAll(), wanted, known)
  const { added, edited } = planned(wanted.changes, planning)
  const changed = new Map(edited.map((entry) => [entry.n, entry]))
  const entries = planning.entries.map((entry) => changed.get(entry.n) ?? entry)
  for (const entry of edited) await store.put(entry)
  for (const entry of added) entries.push({ ...entry, n: await store.add(entry as Entry) })
  const typeOf = (uuid: string) => entries.find(({ record }) => record === uuid)?.type
  for (const photo of wanted.photos ?? [])
    await writing
      .objectStore('photo')
      .add(photoOf(photo, planning, typeOf(photo.record) ?? known(photo.record)?.type ?? 'log'))
  return entries
}

function planningOf(entries: readonly Entry[], { set, undoes }: NewSet, known: Known): Planning {
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

function photoOf({ record, field, file }: NewPhoto, { set, at }: Planning, type: RecordType): PhotoEntry {
  const name = file instanceof File ? file.name : ''
  const shared = { state: 'waiting', tries: 0, failures: 0, problem: null } as const
  return { uuid: newUuid(), record, type, field, set, name, bytes: file, size: file.size, at, ...shared }
}
