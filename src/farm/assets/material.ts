import { termsOf } from '../../fields/reference.ts'
import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const material: Bundle = {
  label: 'Material',
  plural: 'Materials',
  only: 'newer',
  fields: {
    ...standardFields,
    material_type: termsOf('Material type', 'farm_materials', { required: true }),
    parent,
    tag: newerTag,
  },
}
