import type { Vocabulary } from '../farm.ts'

export const labs: Vocabulary = {
  label: 'Laboratory',
  plural: 'Laboratories',
  title: 'Farm Laboratories',
  description: 'Who tests samples',
  only: 'newer',
  fields: {},
}
