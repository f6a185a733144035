import type { Bundle } from '../farm.ts'
import { quantityFields } from '../parts/quantity.ts'
import { standardFields } from './properties.ts'

export const test: Bundle = {
  label: 'Test',
  plural: 'Test quantities',
  fields: { ...standardFields, test_method: quantityFields.test_method },
}
