import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const medicalFields = {
  ...standardFields,
  asset: { ...standardFields.asset, label: 'Animals' },
  vet: text('Veterinarian'),
}

export const medical: Bundle = {
  label: 'Medical record',
  plural: 'Medical records',
  report: 'inputs',
  fields: medicalFields,
}
