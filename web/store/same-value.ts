import { isReference } from './references.ts'

/** Whether two values of a field say the same, however they are spelled: names of references and formats of texts aside. */
export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

/** A value in the one way that all its spellings share; what is empty is null. */
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

/** A file is known by its number: its name has been spelled in several ways, and may change. */
const plainItem = (item: unknown): unknown =>
  typeof item === 'string' ? plain(item.replace(/^(\/(?:.*\/)?file\/\d+\/).*$/, '$1')) : plain(item)

function plainReference({ id, uuid, name }: { id?: string; uuid?: string; name?: string }): unknown {
  const known = id ?? uuid
  if (known !== undefined) return { id: String(known) }
  return name === undefined || name === '' ? null : { name: name.trim().toLowerCase() }
}
