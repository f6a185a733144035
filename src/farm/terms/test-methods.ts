import type { Vocabulary } from '../farm.ts'

export const testMethods: Vocabulary = {
  label: 'Test method',
  plural: 'Test methods',
  title: 'Farm Test Methods',
  description: 'How samples are tested',
  only: 'newer',
  fields: {},
}
