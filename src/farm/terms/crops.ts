import { whole } from '../../fields/number.ts'
import { termsOf } from '../../fields/reference.ts'
import type { Vocabulary } from '../farm.ts'
import { images } from '../record-fields.ts'

export const crops: Vocabulary = {
  label: 'Crop/variety',
  plural: 'Crops/varieties',
  title: 'Farm Crops/Varieties',
  description: 'What is grown',
  newer: { name: 'plant_type' },
  fields: {
    companions: termsOf('Companions', 'farm_crops', { many: true }),
    crop_family: termsOf('Crop family', 'farm_crop_families'),
    images,
    maturity_days: whole('Days to maturity', { min: 0 }),
    transplant_days: whole('Days to transplant', { min: 0 }),
    harvest_days: whole('Days to harvest', { min: 0, only: 'newer' }),
  },
}
