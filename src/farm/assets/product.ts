import { termsOf } from '../../fields/reference.ts'
import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const product: Bundle = {
  label: 'Product',
  plural: 'Products',
  only: 'newer',
  fields: {
    ...standardFields,
    product_type: termsOf('Product type', 'product_type', { required: true }),
    parent,
    tag: newerTag,
  },
}
