import { reference } from '../../fields/reference.ts'
import type { Bundle } from '../farm.ts'
import { parent, standardFields } from './standard-fields.ts'

export const group: Bundle = {
  label: 'Group',
  plural: 'Groups',
  fields: {
    ...standardFields,
    members: reference('Members', 'farm_asset', {
      many: true,
      computed: 'record a done log with a membership in this group instead',
      onRequest: true,
    }),
    parent,
  },
}
