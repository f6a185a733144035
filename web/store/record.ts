import { areaBundle, groupBundle } from '../../src/farm/bundle-names.ts'

export type { CatalogueDocument, Me } from '../../src/doors/app/documents.ts'

export type KeptRecordType = 'log' | 'asset' | 'term'

/** What a record says, spelled as the record interface spells it, without addresses of it and without what is empty. */
export type RecordFields = Readonly<Record<string, unknown>>

export interface KeptRecord {
  readonly uuid: string
  readonly type: KeptRecordType
  /** The number that the server has given it; until then its UUID. */
  readonly id: string
  /** The type of a log or an asset, the vocabulary of a term. */
  readonly bundle: string
  readonly name: string
  readonly version: string
  /** Of an archived asset only `archived`; ask the server for the rest. */
  readonly fields: RecordFields
  /** Of an archived asset with unsent changes: the rest is still to be asked for. */
  readonly onlyName?: true
  /** Something of it is not sent yet. */
  readonly waiting?: true
}

export type KeptStayKind = 'movement' | 'membership'

/** Times are Unix seconds; `until` is null while the stay lasts, `place` where a movement gives only a geometry. */
export interface KeptStay {
  readonly asset: string
  readonly place: string | null
  readonly placeType: 'area' | 'asset' | null
  readonly log: string
  readonly from: number
  readonly until: number | null
  /** The log that says so is not sent yet. */
  readonly waiting?: true
}

/** A key of the index `ref`: what is referred to, then the newest first. */
type RefKey = readonly [ref: string, minusTime: number, minusId: number]

/** A record as it lies in the database: with the keys of its indexes, negative so that an ascending walk begins with the newest. */
export interface CopyRow extends KeptRecord {
  readonly minusTime: number
  readonly minusId: number
  readonly refs: readonly RefKey[]
}

/** Logs that are not done, and those that bear a flag, are looked for as if they referred to something. */
export const pendingRef = 'pending'
export const flaggedRef = 'flagged'
export const assetRef = (id: string) => `asset:${id}`
export const areaRef = (id: string) => `area:${id}`
export const lotRef = (folded: string) => `lot:${folded}`
export const wordRef = (folded: string) => `word:${folded}`

export function rowOf(record: KeptRecord): CopyRow {
  const minusTime = -timeOf(record)
  const minusId = -Number(record.id)
  const refs = record.type === 'log' ? [...new Set(refsOf(record))] : []
  return { ...record, minusTime, minusId, refs: refs.map((ref) => [ref, minusTime, minusId] as const) }
}

export function recordOf({ minusTime: _time, minusId: _id, refs: _refs, ...record }: CopyRow): KeptRecord {
  return record
}

/** Unix seconds: when a log happened or is to happen, else when the record was made. */
export function timeOf({ fields }: Pick<KeptRecord, 'fields'>): number {
  return Number(fields.timestamp ?? fields.created ?? 0)
}

export const isArea = ({ bundle }: Pick<KeptRecord, 'bundle'>): boolean => bundle === areaBundle
export const isGroup = ({ bundle }: Pick<KeptRecord, 'bundle'>): boolean => bundle === groupBundle

export const isDone = ({ fields }: Pick<KeptRecord, 'fields'>): boolean => fields.done === '1'

export const isArchived = ({ fields }: Pick<KeptRecord, 'fields'>): boolean => (fields.archived ?? '0') !== '0'

/** Of an archived asset the copy has no more than its name; an edit of it that waits makes it no fuller. */
export const isOnlyAName = ({ type, fields, onlyName }: Pick<KeptRecord, 'type' | 'fields' | 'onlyName'>): boolean =>
  onlyName ?? (type === 'asset' && isArchived({ fields }) && Object.keys(fields).length === 1)

/** Whether the farm can be asked about it: what waits in the outbox has no number yet. */
export const isOnFarm = ({ id, uuid }: Pick<KeptRecord, 'id' | 'uuid'>): boolean => id !== uuid

/** The ids that a field refers to, however many it may have. */
export function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  const { id } = value as { id?: unknown }
  return typeof id === 'string' ? [id] : []
}

/** All assets that a log names: in its list, its groups, and its inventory. */
export function assetsNamedIn({ fields }: Pick<KeptRecord, 'fields'>): string[] {
  const inventory = partsIn(fields.inventory).flatMap((part) => idsIn(part.asset))
  const groups = partsIn(fields.membership).flatMap((part) => idsIn(part.group))
  return [...new Set([...idsIn(fields.asset), ...idsIn(fields.equipment), ...groups, ...inventory])]
}

export function areasNamedIn({ fields }: Pick<KeptRecord, 'fields'>): string[] {
  const moved = partsIn(fields.movement).flatMap((part) => idsIn(part.area))
  return [...new Set([...idsIn(fields.area), ...moved])]
}

/** The parts of a field, of which there may be one, several or none. */
export function partsIn(value: unknown): readonly RecordFields[] {
  if (Array.isArray(value)) return value as RecordFields[]
  return typeof value === 'object' && value !== null ? [value as RecordFields] : []
}

/** What stands on its tags. */
export const tagsOf = ({ fields }: Pick<KeptRecord, 'fields'>): string[] =>
  partsIn(fields.tag).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))

export const typeOnTheWire = { log: 'log', asset: 'farm_asset', term: 'taxonomy_term' } as const satisfies Readonly<
  Record<KeptRecordType, string>
>

/** Undefined for what the copy does not keep. */
export function typeFromTheWire(name: string): KeptRecordType | undefined {
  return (Object.keys(typeOnTheWire) as KeptRecordType[]).find((type) => typeOnTheWire[type] === name)
}

function refsOf(log: KeptRecord): string[] {
  const lot = log.fields.lot_number
  return [
    ...assetsNamedIn(log).map(assetRef),
    ...areasNamedIn(log).map(areaRef),
    ...(isDone(log) ? [] : [pendingRef]),
    ...(log.fields.flags === undefined ? [] : [flaggedRef]),
    ...(typeof lot === 'string' ? [lotRef(lot.trim().toLowerCase())] : []),
    ...foldedWords(log.name).map(wordRef),
  ]
}

/** What a file is called, by its address. */
export function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Has no accents to take away; of tens of thousands of names most have none. */
const isPlain = /^[ -~]*$/

/** Text as it is compared: without case, accents and the space around it. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase().trim()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

export function foldedWords(text: string): string[] {
  return [...new Set(folded(text).split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== '')
}
