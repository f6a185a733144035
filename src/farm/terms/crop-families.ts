import type { Vocabulary } from '../farm.ts'

export const cropFamilies: Vocabulary = {
  label: 'Crop Family',
  plural: 'Crop Families',
  title: 'Farm Crop Families',
  description: 'What crops are related',
  newer: { name: 'crop_family' },
  fields: {},
}
