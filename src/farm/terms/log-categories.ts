import type { Vocabulary } from '../farm.ts'

export const logCategories: Vocabulary = {
  label: 'Log category',
  plural: 'Log categories',
  title: 'Farm Log Categories',
  description: 'What logs are about',
  newer: { name: 'log_category' },
  fields: {},
  firstTerms: ['Plantings', 'Animals', 'Equipment', 'Soil', 'Tillage', 'Water', 'Compost', 'Sensors'],
}
