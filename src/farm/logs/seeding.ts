import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { Bundle } from '../farm.ts'
import { plantingFields } from './standard-fields.ts'

export const seedingFields = {
  ...plantingFields,
  lot_number: text('Seed lot number'),
  seed_source: text('Source/Supplier', { newer: { name: 'source' } }),
  date_purchase: timestamp('Date purchased', { only: 'newer', newer: { name: 'purchase_date' } }),
} as const

export const seeding: Bundle = {
  label: 'Seeding',
  plural: 'Seedings',
  fields: seedingFields,
}
