import { amend, amendPhoto, discard, discardPhotos } from '../store/amend.ts'
import type { CopyDatabase } from '../store/database.ts'
import type { Conflict, Entry } from '../store/entry.ts'
import { memory } from '../store/memory.ts'
import { bothOf } from '../store/merge.ts'
import { anew } from '../store/plan.ts'
import type { Fields, KeptRecord } from '../store/types.ts'
import { newUuid } from '../store/uuid.ts'
import { save } from './save.ts'
import { sendNow } from './sending.ts'
import type { UnsentSet } from './waiting.ts'

function database(): CopyDatabase {
  if (memory.database === null) throw new Error('Nobody is here to decide anything.')
  return memory.database
}

/** As it is, once more. */
export async function tryAgain({ entries, photos }: UnsentSet): Promise<void> {
  const anew = { state: 'frozen', problem: null, failures: 0 } as const
  await amend(database(), ...entries.map(({ n }) => [n, anew] as const))
  for (const { uuid, state } of photos) if (state === 'needs-you') await amendPhoto(database(), uuid, anew)
  sendNow()
}

/** Only a person takes something out of the outbox that the server has not acknowledged. */
export async function throwAway({ entries, photos }: UnsentSet): Promise<void> {
  await discardPhotos(
    database(),
    photos.map(({ uuid }) => uuid),
  )
  await discard(
    database(),
    entries.map(({ n }) => n),
  )
  sendNow()
}

export type Choice = 'theirs' | 'mine' | 'both'

/** Every field on which two people disagree has been decided on: the rest of the change is as it was. */
export async function decide(set: readonly Entry[], entry: Entry, choices: ReadonlyMap<string, Choice>): Promise<void> {
  const { conflicts = [] } = entry.problem ?? {}
  const body: Record<string, unknown> = { ...entry.body }
  for (const conflict of conflicts) {
    const choice = choices.get(conflict.field)
    if (choice === 'theirs') delete body[conflict.field]
    else if (choice === 'both') body[conflict.field] = bothIn(conflict)
  }
  if (Object.keys(body).length === 0 && set.length === 1) await discard(database(), [entry.n])
  // Without a version it is compared once more: lists that nobody has to decide on are still to be merged.
  else await goOn(set, entry, { body, base: withTheirs(entry.base, conflicts), tag: null })
  sendNow()
}

/** A name is one line. */
function bothIn(conflict: Conflict): unknown {
  const both = bothOf(conflict)
  return conflict.field === 'name' && typeof both === 'string' ? both.replace(/\n+/g, ', ') : both
}

const withTheirs = (base: Fields | null, conflicts: readonly Conflict[]): Fields => ({
  ...base,
  ...Object.fromEntries(conflicts.map(({ field, theirs }) => [field, theirs])),
})

/** Somebody changed meanwhile what was to be removed: it goes nevertheless. */
export async function removeAnyway(set: readonly Entry[], entry: Entry): Promise<void> {
  await goOn(set, entry, { tag: entry.problem?.tag ?? null })
  sendNow()
}

function goOn(set: readonly Entry[], entry: Entry, change: Partial<Entry>): Promise<void> {
  return amend(database(), ...set.map(({ n }) => [n, { ...anew(), ...(n === entry.n ? change : {}) }] as const))
}

/** What somebody has removed meanwhile comes back as it was, with the change; where it has ended for good it is written anew. */
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
  await discard(database(), [entry.n])
  await goOn(entries, entry, {})
  sendNow()
}

function asRead({ record, type, id, bundle, name, tag, base }: Entry): KeptRecord {
  const { name: before = name, ...fields } = base ?? {}
  return { uuid: record, type, id, bundle, name: String(before), version: tag ?? '', fields }
}

/** Without what the farm notes itself, and without files that are gone with the record. */
function writable(fields: Fields): Fields {
  const noted = new Set(['uid', 'created', 'changed', 'images', 'files', 'inventory'])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !noted.has(name)))
}
