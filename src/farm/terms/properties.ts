import { valueLimits } from '../../fields/limits.ts'
import { whole } from '../../fields/number.ts'
import { reference } from '../../fields/reference.ts'
import { longText, text } from '../../fields/text.ts'
import { recordId } from '../authorship.ts'

export const termProperties = {
  tid: recordId('Term ID'),
  name: text('Name', { required: true, maxLength: valueLimits.nameLength }),
  description: longText('Description', { maxLength: valueLimits.textLength, takesRich: true }),
  vocabulary: reference('Vocabulary', 'vocabulary', { required: true }),
  parent: reference('Parent', 'term', { many: true, within: 'own' }),
  weight: whole('Weight'),
}
