import type { Bundle } from '../farm.ts'
import { standardFields } from './properties.ts'

export const standard: Bundle = {
  label: 'Standard',
  plural: 'Standard quantities',
  fields: standardFields,
}
