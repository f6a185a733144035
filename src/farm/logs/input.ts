import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const inputFields = {
  ...standardFields,
  date_purchase: timestamp('Date purchased', { newer: { name: 'purchase_date' } }),
  input_method: text('Application method', { newer: { name: 'method' } }),
  input_purpose: text('Purpose'),
  input_source: text('Source/manufacturer', { newer: { name: 'source' } }),
  lot_number: text('Input lot number'),
  material: termsOf('Materials', 'farm_materials', { many: true, newer: { joined: true } }),
} as const

export const input: Bundle = {
  label: 'Input',
  plural: 'Inputs',
  report: 'inputs',
  fields: inputFields,
}
