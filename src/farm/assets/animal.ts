import { choice } from '../../fields/choice.ts'
import { yesNo } from '../../fields/number.ts'
import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { Bundle } from '../farm.ts'
import { tag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

export const animal: Bundle = {
  label: 'Animal',
  plural: 'Animals',
  fields: {
    ...standardFields,
    animal_castrated: yesNo('Castrated', { newer: { name: 'is_castrated', alias: 'is_sterile' } }),
    animal_nicknames: text('Nickname(s)', { many: true, newer: { name: 'nickname' } }),
    animal_sex: choice('Sex', 'sexes', { newer: { name: 'sex' } }),
    animal_type: termsOf('Species/breed', 'farm_animal_types', { required: true }),
    date: timestamp('Date of birth', { newer: { name: 'birthdate' } }),
    parent,
    tag,
  },
}
