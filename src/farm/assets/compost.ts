import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const compost: Bundle = {
  label: 'Compost',
  plural: 'Compost',
  fields: { ...standardFields, parent, tag: newerTag },
}
