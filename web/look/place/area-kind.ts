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

export type AreaKind = (typeof areaKinds)[number]

export function kindOf({ fields }: Pick<KeptRecord, 'fields'>): AreaKind {
  return areaKinds.find((kind) => kind === fields.area_type) ?? 'other'
}
