import type { Vocabulary } from '../farm.ts'

export const materials: Vocabulary = {
  label: 'Material',
  plural: 'Materials',
  title: 'Farm Materials',
  description: 'What is applied to land, crops and animals',
  newer: { name: 'material_type' },
  fields: {},
}
