import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const equipment: Bundle = {
  label: 'Equipment',
  plural: 'Equipment',
  fields: {
    ...standardFields,
    manufacturer: text('Manufacturer'),
    model: text('Model'),
    serial_number: text('Serial number'),
    equipment_type: termsOf('Equipment type', 'equipment_type', { many: true, only: 'newer' }),
    parent: { ...parent, only: 'newer' },
    tag: newerTag,
  },
}
