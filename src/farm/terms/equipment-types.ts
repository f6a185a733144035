import type { Vocabulary } from '../farm.ts'

export const equipmentTypes: Vocabulary = {
  label: 'Equipment type',
  plural: 'Equipment types',
  title: 'Farm Equipment Types',
  description: 'What equipment is for',
  only: 'newer',
  fields: {},
}
