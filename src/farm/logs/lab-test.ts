import { choice } from '../../fields/choice.ts'
import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

/** Fields of every lab test in /api. */
export const labTestFields = {
  lab: termsOf('Laboratory', 'lab', { only: 'newer' }),
  lab_processed_date: timestamp('Date processed', { only: 'newer' }),
  lab_received_date: timestamp('Date received', { only: 'newer' }),
  lab_test_type: choice('Lab test type', 'lab_test_types', { open: true, only: 'newer' }),
  soil_texture: text('Soil texture', { only: 'newer' }),
}

/** Tests of neither soil nor water. */
export const labTest: Bundle = {
  label: 'Lab test',
  plural: 'Lab tests',
  only: 'newer',
  newer: { name: 'lab_test', by: { field: 'lab_test_type' } },
  fields: { ...standardFields, ...labTestFields },
}
