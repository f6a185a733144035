import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const harvestFields = { ...standardFields, lot_number: text('Harvest lot number') }

export const harvest: Bundle = {
  label: 'Harvest',
  plural: 'Harvests',
  report: 'harvest',
  fields: harvestFields,
}
