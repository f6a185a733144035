import { areaBundle, groupBundle, medicalBundle } from '../../src/farm/bundle-names.ts'

export type { CatalogueDocument, Me } from '../../src/doors/app/documents.ts'

export type LocalRecordType = 'log' | 'asset' | 'term'

/** Fields as on the record interface, without addresses and empty values. */
export type RecordFields = Readonly<Record<string, unknown>>

export interface LocalRecord {
  readonly uuid: string
  readonly type: LocalRecordType
  /** Number given by the server; before that the UUID. */
  readonly id: string
  /** Type of a log or asset, vocabulary of a term. */
  readonly bundle: string
  readonly name: string
  readonly version: string
  /** Archived assets have only `archived`; the rest is on the server. */
  readonly fields: RecordFields
  /** For an archived asset with unsent changes: the other fields are on the server. */
  readonly onlyName?: true
  /** Has unsent changes. */
  readonly waiting?: true
}

export type LocalStayKind = 'movement' | 'membership'

/** Unix seconds; `until` is null while the stay lasts, `place` is null if a movement has only a geometry. */
export interface LocalStay {
  readonly asset: string
  readonly place: string | null
  readonly placeType: 'area' | 'asset' | null
  readonly log: string
  readonly from: number
  readonly until: number | null
  /** The log is not sent yet. */
  readonly waiting?: true
}

/** Key of the index `ref`: referenced record, then the newest first. */
type RefKey = readonly [ref: string, minusTime: number, minusId: number]

/** A record in the database, with index keys: negative, so that an ascending walk begins with the newest. */
export interface CopyRow extends LocalRecord {
  readonly minusTime: number
  readonly minusId: number
  readonly refs: readonly RefKey[]
}

/** Pseudo references in the index, for pending and flagged logs, and those that may withhold something. */
export const pendingRef = 'pending'
export const flaggedRef = 'flagged'
export const withheldRef = 'withheld'
export const assetRef = (id: string) => `asset:${id}`
export const areaRef = (id: string) => `area:${id}`
export const lotRef = (folded: string) => `lot:${folded}`
export const wordRef = (folded: string) => `word:${folded}`

export function rowOf(record: LocalRecord): CopyRow {
  const minusTime = -timeOf(record)
  const minusId = -Number(record.id)
  const refs = record.type === 'log' ? [...new Set(refsOf(record))] : []
  return { ...record, minusTime, minusId, refs: refs.map((ref) => [ref, minusTime, minusId] as const) }
}

export function recordOf({ minusTime: _time, minusId: _id, refs: _refs, ...record }: CopyRow): LocalRecord {
  return record
}

/** Unix seconds: time of a log; of other records the creation time. */
export function timeOf({ fields }: Pick<LocalRecord, 'fields'>): number {
  return Number(fields.timestamp ?? fields.created ?? 0)
}

export const isArea = ({ bundle }: Pick<LocalRecord, 'bundle'>): boolean => bundle === areaBundle
export const isGroup = ({ bundle }: Pick<LocalRecord, 'bundle'>): boolean => bundle === groupBundle

export const isDone = ({ fields }: Pick<LocalRecord, 'fields'>): boolean => fields.done === '1'

export const isArchived = ({ fields }: Pick<LocalRecord, 'fields'>): boolean => (fields.archived ?? '0') !== '0'

/** True if the copy has only the name of an archived asset; an unsent edit does not add the rest. */
export const isOnlyAName = ({ type, fields, onlyName }: Pick<LocalRecord, 'type' | 'fields' | 'onlyName'>): boolean =>
  onlyName ?? (type === 'asset' && isArchived({ fields }) && Object.keys(fields).length === 1)

/** True if the record has a number, so that the server knows it. */
export const isOnFarm = ({ id, uuid }: Pick<LocalRecord, 'id' | 'uuid'>): boolean => id !== uuid

/** Ids in a reference field, single or repeated. */
export function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  const { id } = value as { id?: unknown }
  return typeof id === 'string' ? [id] : []
}

/** Assets that a log names: in its assets, groups and inventory. */
export function assetsNamedIn({ fields }: Pick<LocalRecord, 'fields'>): string[] {
  const inventory = partsIn(fields.inventory).flatMap((part) => idsIn(part.asset))
  const groups = partsIn(fields.membership).flatMap((part) => idsIn(part.group))
  return [...new Set([...idsIn(fields.asset), ...idsIn(fields.equipment), ...groups, ...inventory])]
}

export function areasNamedIn({ fields }: Pick<LocalRecord, 'fields'>): string[] {
  const moved = partsIn(fields.movement).flatMap((part) => idsIn(part.area))
  return [...new Set([...idsIn(fields.area), ...moved])]
}

/** Parts of a field, single or repeated. */
export function partsIn(value: unknown): readonly RecordFields[] {
  if (Array.isArray(value)) return value as RecordFields[]
  return typeof value === 'object' && value !== null ? [value as RecordFields] : []
}

/** Ids on the tags. */
export const tagsOf = ({ fields }: Pick<LocalRecord, 'fields'>): string[] =>
  partsIn(fields.tag).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))

export const typeOnTheWire = { log: 'log', asset: 'farm_asset', term: 'taxonomy_term' } as const satisfies Readonly<
  Record<LocalRecordType, string>
>

/** Undefined for types that the copy does not keep. */
export function typeFromTheWire(name: string): LocalRecordType | undefined {
  return (Object.keys(typeOnTheWire) as LocalRecordType[]).find((type) => typeOnTheWire[type] === name)
}

function refsOf(log: LocalRecord): string[] {
  const lot = log.fields.lot_number
  return [
    ...assetsNamedIn(log).map(assetRef),
    ...areasNamedIn(log).map(areaRef),
    ...(isDone(log) ? [] : [pendingRef]),
    ...(log.fields.flags === undefined ? [] : [flaggedRef]),
    ...(mayWithhold(log) ? [withheldRef] : []),
    ...(typeof lot === 'string' ? [lotRef(lot.trim().toLowerCase())] : []),
    ...foldedWords(log.name).map(wordRef),
  ]
}

/** Medical records also without a label, since older ones have a reminder. Labels are read in full elsewhere. */
const mayWithhold = ({ bundle, fields }: LocalRecord): boolean =>
  bundle === medicalBundle || /:"(withhold |no entry)/.test(JSON.stringify(fields.quantity))

/** File name in an address. */
export function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Fast path: ASCII names have no accents. */
const isPlain = /^[ -~]*$/

/** Normalises text for comparison: no case, accents and outer spaces. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase().trim()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

export function foldedWords(text: string): string[] {
  const between = isPlain.test(text) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u
  return [...new Set(folded(text).split(between))].filter((word) => word !== '')
}
