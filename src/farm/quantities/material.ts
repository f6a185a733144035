import type { Bundle } from '../farm.ts'
import { quantityFields } from '../parts/quantity.ts'
import { standardFields } from './properties.ts'

export const material: Bundle = {
  label: 'Material',
  plural: 'Material quantities',
  fields: { ...standardFields, material_type: quantityFields.material_type },
}
