import { choice } from '../../fields/choice.ts'
import { valueLimits } from '../../fields/limits.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import { changed, created, recordId, uid } from '../record-fields.ts'

export const logProperties = {
  id: recordId('Log ID'),
  name: text('Name', { required: true, maxLength: valueLimits.nameLength, newer: { required: false } }),
  type: text('Type', { required: true, maxLength: valueLimits.nameLength }),
  uid,
  timestamp: timestamp('Timestamp', { required: true, newer: { required: false } }),
  created,
  changed,
  status: choice('Status', 'log_statuses', {
    asYesNo: { name: 'done', label: 'Done', yes: 'done', no: 'pending' },
    newer: { default: 'done' },
  }),
}
