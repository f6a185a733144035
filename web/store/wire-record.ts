import {
  type CatalogueDocument,
  isArchived,
  type KeptRecord,
  type KeptRecordType,
  type RecordFields,
} from './record.ts'

/** A record as lists and the feed spell it, with `uuid` and `version`. */
export type WireRecord = RecordFields

/** What the copy does not keep of a record: where it is, what it says of itself elsewhere, and what is worked out from logs. */
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

/** As the copy keeps it: of an archived asset little more than its name. */
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

/** Terms say the number of their vocabulary, which is not the same on every farm. */
function vocabularyOf({ vocabulary }: WireRecord, catalogue: CatalogueDocument | null): string {
  const { id } = vocabulary as { id: string }
  const found = Object.entries(catalogue?.types.taxonomy_term ?? {}).find(([, bundle]) => bundle.id === id)
  return found?.[0] ?? id
}

/** A field as the copy keeps it; none where it is empty. */
export function fieldFromWire([name, value]: [string, unknown]): [string, unknown][] {
  if (leftOut.has(name)) return []
  const kept = keptValue(name === 'images' || name === 'files' ? pathsIn(value) : value)
  return kept === undefined ? [] : [[name, kept]]
}

/** References without their address, and nothing for what is empty. */
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

/** Files as paths below ours. */
const pathsIn = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' && isAddress(one) ? new URL(one).pathname : one))
    : value

const isAddress = (value: string) => /^https?:/.test(value) && URL.canParse(value)
