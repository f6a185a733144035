import {
  type CatalogueDocument,
  isArchived,
  type KeptRecord,
  type KeptRecordType,
  type RecordFields,
} from './record.ts'

/** A record as in lists and the feed, with `uuid` and `version`. */
export type WireRecord = RecordFields

/** Fields that the copy does not store: identity, addresses, and computed fields. */
const leftOut: ReadonlySet<string> = new Set([
  ...['id', 'tid', 'uuid', 'version', 'name', 'type', 'vocabulary', 'url', 'uri', 'resource', 'feed_article'],
  ...['location', 'geometry', 'assets', 'group', 'members', 'parents_all'],
])

interface WireContext {
  readonly type: KeptRecordType
  readonly catalogue: CatalogueDocument | null
}

export const trimmedFromWire = (wire: WireRecord, reading: WireContext): KeptRecord =>
  trimForCopy(recordFromWire(wire, reading))

/** Reduces an archived asset to little more than its name. */
export function trimForCopy(record: KeptRecord): KeptRecord {
  return record.type === 'asset' && isArchived(record)
    ? { ...record, fields: { archived: record.fields.archived } }
    : record
}

export function recordFromWire(wire: WireRecord, { type, catalogue }: WireContext): KeptRecord {
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
  if (leftOut.has(name)) return []
  const kept = keptValue(name === 'images' || name === 'files' ? pathsIn(value) : value)
  return kept === undefined ? [] : [[name, kept]]
}

/** Drops addresses of references, and empty values. */
function keptValue(value: unknown): unknown {
  if (value === null || value === '') return undefined
  if (Array.isArray(value)) return keptList(value)
  if (typeof value !== 'object') return value
  const { uri: _uri, resource: _resource, ...rest } = value as Record<string, unknown>
  const entries = Object.entries(rest).flatMap(([name, part]) => {
    const kept = keptValue(part)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function keptList(list: readonly unknown[]): readonly unknown[] | undefined {
  const kept = list.map(keptValue).filter((item) => item !== undefined)
  return kept.length === 0 ? undefined : kept
}

/** Turns own file addresses into paths. */
const pathsIn = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' && isAddress(one) ? new URL(one).pathname : one))
    : value

const isAddress = (value: string) => /^https?:/.test(value) && URL.canParse(value)
