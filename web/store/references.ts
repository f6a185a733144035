import type { CatalogueFields } from '../../src/doors/web/catalogue.ts'
import { idsIn, partsIn } from './row.ts'
import type { Fields, RecordType } from './types.ts'
import { isUuid } from './uuid.ts'

type Parts = Readonly<Record<string, unknown>>

/** Whether a value is a reference and nothing else. */
export function isReference(value: unknown): value is { id?: string; uuid?: string; name?: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => name === 'id' || name === 'uuid' || name === 'name')
}

/** A value with each of its references put in another way. */
export function withReferences(value: unknown, put: (reference: Parts) => Parts): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, put))
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return put(value as Parts)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withReferences(part, put)]))
}

/** For the wire: an unsent record is shown with its UUID as its id, and is referred to by it. */
export const forTheWire = <T>(value: T): T =>
  withReferences(value, (reference) => {
    const { id, uuid = id } = reference
    return typeof id === 'string' && isUuid(id) ? { uuid } : reference
  }) as T

/** The UUIDs that a value refers to. */
export function uuidsIn(value: unknown): string[] {
  const found = new Set<string>()
  withReferences(value, (reference) => {
    if (typeof reference.uuid === 'string') found.add(reference.uuid)
    return reference
  })
  return [...found]
}

const targets: Readonly<Record<string, RecordType>> = { farm_asset: 'asset', taxonomy_term: 'term' }

/** The records that fields refer to by number, in parts of them too. */
export function numbersIn(values: Fields, fields: CatalogueFields): [type: RecordType, id: string][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const type = targets[field.to ?? '']
    const within = field.fields ?? {}
    const own = type === undefined ? [] : idsIn(values[name]).map((id): [RecordType, string] => [type, id])
    return [...own, ...partsIn(values[name]).flatMap((part) => numbersIn(part, within))]
  })
}
