import { effect } from '@preact/signals'
import { newUuid } from '../../src/client/changes.ts'
import type { CopyDatabase } from '../store/database.ts'
import { freshRequest } from '../store/enqueue.ts'
import { memory } from '../store/memory.ts'
import { amendEntries, amendPhoto, discardEntries, discardPhotos } from '../store/outbox.ts'
import type { Conflict, Entry } from '../store/outbox-entry.ts'
import type { LocalRecord, RecordFields } from '../store/record.ts'
import { itemsOf, united } from '../store/three-way-merge.ts'
import { save } from './save.ts'
import { sendNow, sendState, type UnsentSet, unsent } from './send-state.ts'

function database(): CopyDatabase {
  if (memory.database === null) throw new Error('Nobody is here to decide anything.')
  return memory.database
}

/** Sends the set unchanged again. */
export async function tryAgain({ entries, photos }: UnsentSet): Promise<void> {
  const reset = { state: 'frozen', problem: null, failures: 0 } as const
  await amendEntries(database(), ...entries.map(({ n }) => [n, reset] as const))
  for (const { uuid, state } of photos) if (state === 'needs-you') await amendPhoto(database(), uuid, reset)
  sendNow()
}

/** Only the user may discard entries that the server has not acknowledged. */
export async function throwAway({ entries, photos }: UnsentSet): Promise<void> {
  await discardPhotos(
    database(),
    photos.map(({ uuid }) => uuid),
  )
  await discardEntries(
    database(),
    entries.map(({ n }) => n),
  )
  sendNow()
}

export type ConflictChoice = 'theirs' | 'mine' | 'both'

/** Applies the user's decisions on all conflicts; the other fields stay. */
export async function resolveConflicts(
  set: readonly Entry[],
  entry: Entry,
  choices: ReadonlyMap<string, ConflictChoice>,
): Promise<void> {
  const { conflicts = [] } = entry.problem ?? {}
  const body: Record<string, unknown> = { ...entry.body }
  for (const conflict of conflicts) {
    const choice = choices.get(conflict.field)
    if (choice === 'theirs') delete body[conflict.field]
    else if (choice === 'both') body[conflict.field] = bothIn(conflict)
  }
  if (Object.keys(body).length === 0 && set.length === 1) await discardEntries(database(), [entry.n])
  // Without a version it is compared again: lists without a conflict must still be merged.
  else await sendAgainWith(set, entry, { body, base: withTheirs(entry.base, conflicts), tag: null })
  sendNow()
}

/** A name has one line. */
function bothIn(conflict: Conflict): unknown {
  const both = bothOf(conflict)
  return conflict.field === 'name' && typeof both === 'string' ? both.replace(/\n+/g, ', ') : both
}

/** Keeps both sides of a conflict: joins texts, unites lists; null for other values. */
export function bothOf({ kind, mine, theirs }: Conflict): unknown {
  if (kind === 'list') return united(itemsOf(theirs), itemsOf(mine))
  return kind === 'text' ? joined(theirs, mine) : null
}

function joined(first: unknown, second: unknown): unknown {
  const [above, below] = [textOf(first), textOf(second)]
  const text = above.includes(below) ? above : below.includes(above) ? below : `${above}\n\n${below}`
  return isRich(first) ? { ...first, value: text } : isRich(second) ? { ...second, value: text } : text
}

const isRich = (value: unknown): value is { value: string } =>
  typeof value === 'object' && value !== null && 'value' in value

const textOf = (value: unknown): string => String((isRich(value) ? value.value : value) ?? '')

const withTheirs = (base: RecordFields | null, conflicts: readonly Conflict[]): RecordFields => ({
  ...base,
  ...Object.fromEntries(conflicts.map(({ field, theirs }) => [field, theirs])),
})

/** Removes a record although another user has changed it. */
export async function removeAnyway(set: readonly Entry[], entry: Entry): Promise<void> {
  await sendAgainWith(set, entry, { tag: entry.problem?.tag ?? null })
  sendNow()
}

function sendAgainWith(set: readonly Entry[], entry: Entry, change: Partial<Entry>): Promise<void> {
  return amendEntries(
    database(),
    ...set.map(({ n }) => [n, { ...freshRequest(), ...(n === entry.n ? change : {}) }] as const),
  )
}

/** Restores a record that another user removed, with the change; creates it again if it was deleted for good. */
export async function recordAgain({ entries, photos }: UnsentSet, entry: Entry): Promise<void> {
  const read = asRead(entry)
  const { type } = entry
  if (entry.problem?.removed === 'to-trash') {
    await save([{ verb: 'restore', type, uuid: entry.record, read }])
    await save([{ verb: 'change', type, uuid: entry.record, fields: entry.body, read }])
  } else {
    const uuid = newUuid()
    const fields = { ...writable(read.fields), name: read.name, ...entry.body }
    await save([{ verb: 'make', type, bundle: entry.bundle, uuid, fields }])
    for (const photo of photos)
      if (photo.record === entry.record) await amendPhoto(database(), photo.uuid, { record: uuid })
  }
  await discardEntries(database(), [entry.n])
  await sendAgainWith(entries, entry, {})
  sendNow()
}

function asRead({ record, type, id, bundle, name, tag, base }: Entry): LocalRecord {
  const { name: before = name, ...fields } = base ?? {}
  return { uuid: record, type, id, bundle, name: String(before), version: tag ?? '', fields }
}

/** Drops read-only fields, and files that were removed with the record. */
function writable(fields: RecordFields): RecordFields {
  const readOnly = new Set(['uid', 'created', 'changed', 'images', 'files', 'inventory', 'withheld'])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !readOnly.has(name)))
}

/** Sends the queue once, and reports the result. */
export function trySendingAll(): Promise<'all' | 'not-all'> {
  const before = sendState.peek()
  sendNow()
  return new Promise((resolve) => {
    const stop = effect(() => {
      const now = sendState.value
      const isOver = now !== before && now.kind !== 'under-way'
      if (unsent.value.length > 0 && !isOver) return
      resolve(unsent.value.length === 0 ? 'all' : 'not-all')
      queueMicrotask(() => stop())
    })
  })
}
