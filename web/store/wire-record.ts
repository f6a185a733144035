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
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(wire)) setFromWire(fields, name, wire[name])
  return {
    uuid: text(wire.uuid),
    type,
    id: text(wire.id),
    bundle: type === 'term' ? vocabularyOf(wire, catalogue) : text(wire.type),
    name: text(wire.name),
    version: text(wire.version),
    fields,
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Terms have the number of their vocabulary, which differs between farms. */
function vocabularyOf({ vocabulary }: WireRecord, catalogue: CatalogueDocument | null): string {
  const { id } = vocabulary as { id: string }
  const found = Object.entries(catalogue?.types.taxonomy_term ?? {}).find(([, bundle]) => bundle.id === id)
  return found?.[0] ?? id
}

/** Sets a field as stored in the copy; an empty one is left out. */
export function setFromWire(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (omittedFields.has(name)) return
  const kept = trimmedValue(name === 'images' || name === 'files' ? pathsIn(value) : value)
  if (kept !== undefined) fields[name] = kept
}

/** Drops addresses of references, and empty values. A plain loop: the first load calls it for each of a million values. */
function trimmedValue(value: unknown): unknown {
  if (value === null || value === '') return undefined
  if (Array.isArray(value)) return trimmedList(value)
  if (typeof value !== 'object') return value
  const whole = value as Record<string, unknown>
  let trimmed: Record<string, unknown> | undefined
  for (const name of Object.keys(whole)) {
    const kept = name === 'uri' || name === 'resource' ? undefined : trimmedValue(whole[name])
    if (kept === undefined) continue
    trimmed ??= {}
    trimmed[name] = kept
  }
  return trimmed
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
