import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { sameValue } from './same-value.ts'
import type { Fields, KeptRecord } from './types.ts'

type Known = (uuid: string) => KeptRecord | undefined

/** What undoes a set that the server has, or may have, the last first. */
export function undoingChanges(entries: readonly Entry[], set: string, known: Known): Change[] {
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
