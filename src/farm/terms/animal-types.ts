import type { Vocabulary } from '../farm.ts'

export const animalTypes: Vocabulary = {
  label: 'Type',
  plural: 'Types',
  title: 'Farm Animal Species/Breeds',
  description: 'What animals are kept',
  newer: { name: 'animal_type' },
  fields: {},
}
