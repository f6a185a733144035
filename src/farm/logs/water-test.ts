import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { labTestFields } from './lab-test.ts'
import { standardFields } from './standard-fields.ts'

export const waterTest: Bundle = {
  label: 'Water test',
  plural: 'Water tests',
  newer: { name: 'lab_test', by: { field: 'lab_test_type', word: 'water' } },
  fields: {
    ...standardFields,
    geofield: { ...standardFields.geofield, label: 'Sample points' },
    water_lab: text('Laboratory'),
    ...labTestFields,
    lab: { ...labTestFields.lab, fills: 'water_lab' },
  },
}
