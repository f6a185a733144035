import { reference } from '../../fields/reference.ts'
import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const group: Bundle = {
  label: 'Group',
  plural: 'Groups',
  fields: {
    ...standardFields,
    members: reference('Members', 'asset', {
      many: true,
      computed: 'members',
      onRequest: true,
    }),
    parent,
    tag: newerTag,
  },
}
