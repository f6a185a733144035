import { termsOf } from '../../fields/reference.ts'
import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const fieldsOfPlantings = {
  ...standardFields,
  crop: termsOf('Crop/variety', 'farm_crops', {
    many: true,
    required: true,
    newer: { name: 'plant_type', label: 'Crop/variety' },
  }),
  parent,
  season: termsOf('Season', 'farm_season', { many: true }),
  tag: newerTag,
} as const

export const planting: Bundle = {
  label: 'Planting',
  plural: 'Plantings',
  newer: { name: 'plant', label: 'Plant' },
  fields: fieldsOfPlantings,
}
