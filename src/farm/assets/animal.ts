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
    animal_castrated: yesNo('Castrated'),
    animal_nicknames: text('Nickname(s)', { many: true }),
    animal_sex: choice('Sex', 'sexes'),
    animal_type: termsOf('Species/breed', 'farm_animal_types', { required: true }),
    date: timestamp('Date of birth'),
    parent,
    tag,
  },
}
