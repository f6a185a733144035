import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const harvest: Bundle = {
  label: 'Harvest',
  plural: 'Harvests',
  fields: { ...standardFields, lot_number: text('Harvest lot number') },
}
