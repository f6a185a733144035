import { reference } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const birth: Bundle = {
  label: 'Birth record',
  plural: 'Birth records',
  fields: {
    ...standardFields,
    asset: { ...standardFields.asset, label: 'Children' },
    mother: reference('Mother', 'asset', { within: ['animal'] }),
    vet: text('Veterinarian', { only: 'newer' }),
  },
}
