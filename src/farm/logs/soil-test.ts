import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { labTestFields } from './lab-test.ts'
import { standardFields } from './standard-fields.ts'

export const soilTest: Bundle = {
  label: 'Soil test',
  plural: 'Soil tests',
  newer: { name: 'lab_test', by: { field: 'lab_test_type', word: 'soil' } },
  fields: {
    ...standardFields,
    geofield: { ...standardFields.geofield, label: 'Sample points' },
    soil_lab: text('Laboratory'),
    soil_names: termsOf('Soil Names', 'farm_soil_names', { many: true }),
    ...labTestFields,
    lab: { ...labTestFields.lab, fills: 'soil_lab' },
  },
}
