import { choice } from '../../fields/choice.ts'
import { decimal } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'

export const quantity = part(
  'Quantity',
  {
    measure: choice('Measure', 'measures'),
    value: decimal('Value'),
    unit: termsOf('Unit', 'farm_quantity_units'),
    label: text('Label'),
  },
  { many: true },
)
