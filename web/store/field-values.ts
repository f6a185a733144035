import { isUuid } from '../../src/client/changes.ts'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { idsIn, type LocalRecordType, partsIn, type RecordFields } from './record.ts'

type Parts = Readonly<Record<string, unknown>>

/** True if the value is only a reference. */
export function isReference(value: unknown): value is { id?: string; uuid?: string; name?: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => name === 'id' || name === 'uuid' || name === 'name')
}

/** Replaces each reference in a value. */
export function withReferences(value: unknown, put: (reference: Parts) => Parts): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, put))
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return put(value as Parts)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withReferences(part, put)]))
}

/** For the wire: an unsent record has its UUID as id, and is referred to by it. */
export const forTheWire = <T>(value: T): T =>
  withReferences(value, (reference) => {
    const { id, uuid = id } = reference
    return typeof id === 'string' && isUuid(id) ? { uuid } : reference
  }) as T

/** UUIDs of the references in a value. */
export function uuidsIn(value: unknown): string[] {
  const found = new Set<string>()
  withReferences(value, (reference) => {
    if (typeof reference.uuid === 'string') found.add(reference.uuid)
    return reference
  })
  return [...found]
}

const targets: Readonly<Record<string, LocalRecordType>> = { farm_asset: 'asset', taxonomy_term: 'term' }

/** Records that fields refer to by number, also inside parts. */
export function numbersIn(values: RecordFields, fields: CatalogueFields): [type: LocalRecordType, id: string][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const type = targets[field.to ?? '']
    const within = field.fields ?? {}
    const own = type === undefined ? [] : idsIn(values[name]).map((id): [LocalRecordType, string] => [type, id])
    return [...own, ...partsIn(values[name]).flatMap((part) => numbersIn(part, within))]
  })
}

/** Compares two values of a field, ignoring names of references and formats of texts. */
export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

/** Canonical form of a value; null if empty. */
export function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plainItem)
  if (typeof value !== 'object') return value
  if (isReference(value)) return plainReference(value)
  const { format: _format, summary: _summary, ...parts } = value as Readonly<Record<string, unknown>>
  const named = Object.entries(parts)
    .map(([name, part]) => [name, plain(part)] as const)
    .filter(([, part]) => part !== null)
    .sort(([name], [other]) => (name < other ? -1 : 1))
  if (named.length === 1 && named[0]?.[0] === 'value') return named[0][1]
  return named.length === 0 ? null : Object.fromEntries(named)
}

/** Compares files by number: their names have several spellings and may change. */
const plainItem = (item: unknown): unknown =>
  typeof item === 'string' ? plain(item.replace(/^(\/(?:.*\/)?file\/\d+\/).*$/, '$1')) : plain(item)

function plainReference({ id, uuid, name }: { id?: string; uuid?: string; name?: string }): unknown {
  const known = id ?? uuid
  if (known !== undefined) return { id: String(known) }
  return name === undefined || name === '' ? null : { name: name.trim().toLowerCase() }
}
