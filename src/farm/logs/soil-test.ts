import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const soilTest: Bundle = {
  label: 'Soil test',
  plural: 'Soil tests',
  fields: {
    ...standardFields,
    geofield: { ...standardFields.geofield, label: 'Sample points' },
    soil_lab: text('Laboratory'),
    soil_names: termsOf('Soil Names', 'farm_soil_names', { many: true }),
  },
}
