import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const equipment: Bundle = {
  label: 'Equipment',
  plural: 'Equipment',
  fields: {
    ...standardFields,
    manufacturer: text('Manufacturer'),
    model: text('Model'),
    serial_number: text('Serial number'),
  },
}
