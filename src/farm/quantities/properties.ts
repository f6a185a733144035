import { valueLimits } from '../../fields/limits.ts'
import { text } from '../../fields/text.ts'
import { changed, created, recordId, uid } from '../record-fields.ts'

export const quantityProperties = {
  id: recordId('Quantity ID'),
  type: text('Type', { required: true, maxLength: valueLimits.nameLength }),
  uid,
  created,
  changed,
}
