import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const waterTest: Bundle = {
  label: 'Water test',
  plural: 'Water tests',
  fields: {
    ...standardFields,
    geofield: { ...standardFields.geofield, label: 'Sample points' },
    water_lab: text('Laboratory'),
  },
}
