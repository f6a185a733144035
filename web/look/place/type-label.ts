import { catalogue } from '../../store/local-copy.ts'
import type { KeptRecord } from '../../store/record.ts'

/** "Paddock": what the farm calls the type of an area. */
export function typeLabel({ fields }: Pick<KeptRecord, 'fields'>): string {
  const type = fields.area_type
  const known = catalogue.value?.lists.area_types?.find(({ value }) => value === type)
  return known?.label ?? (typeof type === 'string' ? type : '')
}
