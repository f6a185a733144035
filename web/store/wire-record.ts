import {
  type CatalogueDocument,
  isArchived,
  type LocalRecord,
  type LocalRecordType,
  type RecordFields,
} from './record.ts'

/** A record as in lists and the feed, with `uuid` and `version`. */
export type WireRecord = RecordFields

/** Fields that the copy does not store: identity, addresses, and computed fields. */
const omittedFields: ReadonlySet<string> = new Set([
  ...['id', 'tid', 'uuid', 'version', 'name', 'type', 'vocabulary', 'url', 'uri', 'resource', 'feed_article'],
  ...['location', 'geometry', 'assets', 'group', 'members', 'parents_all'],
])

interface WireContext {
  readonly type: LocalRecordType
  readonly catalogue: CatalogueDocument | null
}

export const trimmedFromWire = (wire: WireRecord, context: WireContext): LocalRecord =>
  trimForCopy(recordFromWire(wire, context))

/** Reduces an archived asset to little more than its name. */
export function trimForCopy(record: LocalRecord): LocalRecord {
  return record.type === 'asset' && isArchived(record)
    ? { ...record, fields: { archived: record.fields.archived } }
    : record
}

export function recordFromWire(wire: WireRecord, { type, catalogue }: WireContext): LocalRecord {
  return {
    uuid: text(wire.uuid),
    type,
    id: text(wire.id),
    bundle: type === 'term' ? vocabularyOf(wire, catalogue) : text(wire.type),
    name: text(wire.name),
    version: text(wire.version),
    fields: Object.fromEntries(Object.entries(wire).flatMap(fieldFromWire)),
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Terms have the number of their vocabulary, which differs between farms. */
function vocabularyOf({ vocabulary }: WireRecord, catalogue: CatalogueDocument | null): string {
  const { id } = vocabulary as { id: string }
  const found = Object.entries(catalogue?.types.taxonomy_term ?? {}).find(([, bundle]) => bundle.id === id)
  return found?.[0] ?? id
}

/** A field as stored in the copy; none if empty. */
export function fieldFromWire([name, value]: [string, unknown]): [string, unknown][] {
  if (omittedFields.has(name)) return []
  const kept = trimmedValue(name === 'images' || name === 'files' ? pathsIn(value) : value)
  return kept === undefined ? [] : [[name, kept]]
}

/** Drops addresses of references, and empty values. */
function trimmedValue(value: unknown): unknown {
  if (value === null || value === '') return undefined
  if (Array.isArray(value)) return trimmedList(value)
  if (typeof value !== 'object') return value
  const { uri: _uri, resource: _resource, ...rest } = value as Record<string, unknown>
  const entries = Object.entries(rest).flatMap(([name, part]) => {
    const kept = trimmedValue(part)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function trimmedList(list: readonly unknown[]): readonly unknown[] | undefined {
  const kept = list.map(trimmedValue).filter((item) => item !== undefined)
  return kept.length === 0 ? undefined : kept
}

/** Turns own file addresses into paths. */
const pathsIn = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' && isAddress(one) ? new URL(one).pathname : one))
    : value

const isAddress = (value: string) => /^https?:/.test(value) && URL.canParse(value)
