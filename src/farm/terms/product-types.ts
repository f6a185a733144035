import type { Vocabulary } from '../farm.ts'

export const productTypes: Vocabulary = {
  label: 'Product type',
  plural: 'Product types',
  title: 'Farm Product Types',
  description: 'What is made',
  only: 'newer',
  fields: {},
}
