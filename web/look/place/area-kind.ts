import { catalogue } from '../../store/local-copy.ts'
import type { LocalRecord } from '../../store/record.ts'

/** Drawing order of area types, the lowest first. Other types are drawn as `other`. */
export const areaKinds = [
  'property',
  'other',
  'field',
  'paddock',
  'water',
  'building',
  'greenhouse',
  'bed',
  'landmark',
] as const

export type DrawnKind = (typeof areaKinds)[number]

export function kindOf({ fields }: Pick<LocalRecord, 'fields'>): DrawnKind {
  return areaKinds.find((kind) => kind === fields.area_type) ?? 'other'
}

/** Label of the area type: "Paddock". */
export function typeLabel({ fields }: Pick<LocalRecord, 'fields'>): string {
  const type = fields.area_type
  const known = catalogue.value?.lists.area_types?.find(({ value }) => value === type)
  return known?.label ?? (typeof type === 'string' ? type : '')
}

const bedded: readonly DrawnKind[] = ['field', 'greenhouse', 'other', 'property']

/** A paddock, a building or a pond has no beds. */
export const mayHaveBeds = (area: LocalRecord): boolean => bedded.includes(kindOf(area))
