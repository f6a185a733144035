import type { Bundle } from '../farm.ts'
import { quantityFields } from '../parts/quantity.ts'
import { standardFields } from './properties.ts'

export const material: Bundle = {
  label: 'Material',
  plural: 'Material quantities',
  fields: { ...standardFields, material_type: quantityFields.material_type },
}

export const standard: Bundle = {
  label: 'Standard',
  plural: 'Standard quantities',
  fields: standardFields,
}

export const test: Bundle = {
  label: 'Test',
  plural: 'Test quantities',
  fields: { ...standardFields, test_method: quantityFields.test_method },
}
