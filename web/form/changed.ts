import type { CatalogueField, CatalogueFields } from '../../src/doors/web/catalogue.ts'
import type { Fields } from '../store/types.ts'
import { isEmpty } from './read-values.ts'

/** What of a record is no longer as it was read, and only that; null for what was emptied. Both are read values. */
export function changedFields(fields: CatalogueFields, before: Fields, after: Fields): Fields {
  const changed = Object.entries(fields).filter(
    ([name, field]) => written(before[name], field) !== written(after[name], field),
  )
  return Object.fromEntries(changed.map(([name]) => [name, after[name] ?? null]))
}

/** The same text for the same value, however it is spelled. */
function written(value: unknown, field: CatalogueField): string {
  if (isEmpty(value)) return field.kind === 'yes-no' ? 'false' : ''
  if (field.kind === 'yes-no') return String(value === true || value === '1')
  return JSON.stringify(plain(value))
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isEmpty(one)).map(plain)
  if (value instanceof Blob) return { new: value.size }
  if (typeof value !== 'object' || value === null) return value
  const { id, name, uuid } = value as Readonly<Record<string, unknown>>
  // A reference is told by its number, else by its UUID, else by its name; a tag has an `id` beside other words.
  const isReference = Object.keys(value).every((key) => key === 'id' || key === 'name' || key === 'uuid')
  if (isReference) return id !== undefined ? { id } : uuid !== undefined ? { uuid } : { name }
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one))
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, plain(one)]),
  )
}
