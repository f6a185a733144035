import { valueLimits } from '../../fields/limits.ts'
import { yesNo } from '../../fields/number.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import { changed, created, recordId, uid } from '../authorship.ts'

export const logProperties = {
  id: recordId('Log ID'),
  name: text('Name', { required: true, maxLength: valueLimits.nameLength }),
  type: text('Type', { required: true, maxLength: valueLimits.nameLength }),
  uid,
  timestamp: timestamp('Timestamp', { required: true }),
  created,
  changed,
  done: yesNo('Done', { asDigit: true }),
}
