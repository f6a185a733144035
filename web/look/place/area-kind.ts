import { catalogue } from '../../store/local-copy.ts'
import type { KeptRecord } from '../../store/record.ts'

/** How areas are drawn, the lowest first. Types that are not among them look like `other`. */
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

export function kindOf({ fields }: Pick<KeptRecord, 'fields'>): DrawnKind {
  return areaKinds.find((kind) => kind === fields.area_type) ?? 'other'
}

/** "Paddock": what the farm calls the type of an area. */
export function typeLabel({ fields }: Pick<KeptRecord, 'fields'>): string {
  const type = fields.area_type
  const known = catalogue.value?.lists.area_types?.find(({ value }) => value === type)
  return known?.label ?? (typeof type === 'string' ? type : '')
}
