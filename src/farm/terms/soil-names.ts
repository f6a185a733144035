import type { Vocabulary } from '../farm.ts'

export const soilNames: Vocabulary = {
  label: 'Soil name',
  plural: 'Soil names',
  title: 'Farm Soil Names',
  description: 'What soils are called',
  newer: { name: 'soil_name', linked: 'from its first term' },
  fields: {},
}
