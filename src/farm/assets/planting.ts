import { termsOf } from '../../fields/reference.ts'
import type { Bundle } from '../farm.ts'
import { parent, standardFields } from './standard-fields.ts'

export const planting: Bundle = {
  label: 'Planting',
  plural: 'Plantings',
  fields: {
    ...standardFields,
    crop: termsOf('Crop/variety', 'farm_crops', { many: true, required: true }),
    parent,
    season: termsOf('Season', 'farm_season', { many: true }),
  },
}
