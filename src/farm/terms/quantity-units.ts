import type { Vocabulary } from '../farm.ts'

export const quantityUnits: Vocabulary = {
  label: 'Quantity unit',
  plural: 'Quantity units',
  title: 'Farm Quantity Units',
  description: 'What quantities are counted in',
  newer: { name: 'unit' },
  fields: {},
}
