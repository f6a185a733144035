import type { Entry } from './entry.ts'
import { withReferences } from './references.ts'
import { isOnlyAName } from './row.ts'
import type { Fields, KeptRecord } from './types.ts'
import { keptField } from './wire.ts'

/** The record that a UUID stands for, as far as it is known. */
export type Resolve = (uuid: string) => Pick<KeptRecord, 'id' | 'type' | 'name'> | undefined

/** A record as it will be once its entries are sent; undefined once it is removed. */
export function overlaid(
  ofServer: KeptRecord | undefined,
  entries: readonly Entry[],
  resolve: Resolve,
): KeptRecord | undefined {
  const shown = entries.reduce<KeptRecord | undefined>((record, entry) => applied(record, entry, resolve), ofServer)
  if (shown === undefined || entries.length === 0) return shown
  const isTrimmed = ofServer !== undefined && isOnlyAName(ofServer)
  return { ...shown, waiting: true, ...(isTrimmed ? { onlyName: true } : {}) }
}

function applied(record: KeptRecord | undefined, entry: Entry, resolve: Resolve): KeptRecord | undefined {
  if (entry.method === 'DELETE') return undefined
  if (entry.method === 'RESTORE') return record ?? asRead(entry)
  // The server has it already, and only its answer was lost.
  if (entry.method === 'POST' && record !== undefined) return record
  return withFields(record ?? asRead(entry), entry.body, resolve)
}

/** The record that an entry was made from: nothing yet, or what somebody read that is not in the copy. */
function asRead({ record, type, id, bundle, tag, base, at }: Entry): KeptRecord {
  const { name = '', ...fields } = base ?? (type === 'term' ? {} : { created: String(at) })
  return { uuid: record, type, id, bundle, name: String(name), version: tag ?? '', fields }
}

/** With fields as a person writes them, spelled as they are read. */
function withFields(record: KeptRecord, body: Fields, resolve: Resolve): KeptRecord {
  const fields: Record<string, unknown> = { ...record.fields }
  for (const [name, value] of Object.entries(body)) {
    delete fields[name]
    Object.assign(fields, Object.fromEntries(keptField([name, shownValue(name, value, resolve)])))
  }
  return { ...record, name: typeof body.name === 'string' ? body.name : record.name, fields }
}

function shownValue(name: string, value: unknown, resolve: Resolve): unknown {
  if (name === 'done') return value === true || String(value) === '1' ? '1' : '0'
  if (typeof value === 'number') return String(value)
  return withReferences(value, (reference) => {
    if (typeof reference.uuid !== 'string') return reference
    const known = resolve(reference.uuid)
    const named = known?.type === 'term' ? known.name : reference.name
    return { id: known?.id ?? reference.uuid, ...(named === undefined ? {} : { name: named }) }
  })
}
