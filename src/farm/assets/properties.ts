import { geometry } from '../../fields/geometry.ts'
import { valueLimits } from '../../fields/limits.ts'
import { decimal } from '../../fields/number.ts'
import { reference, termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import { changed, created, recordId, uid, withheld } from '../record-fields.ts'

export const assetProperties = {
  id: recordId('Asset ID'),
  name: text('Name', { required: true, maxLength: valueLimits.nameLength }),
  type: text('Type', { required: true, maxLength: valueLimits.nameLength }),
  uid,
  created,
  changed,
  archived: timestamp('Archived', { unset: 0 }),
  location: termsOf('Location', 'farm_areas', { many: true, computed: 'location' }),
  geometry: geometry('Geometry', { computed: 'geometry' }),
  group: reference('Groups', 'asset', {
    many: true,
    within: ['group'],
    computed: 'groups',
    onRequest: true,
  }),
  inventory: decimal('Inventory level', {
    computed: 'inventory',
    onRequest: true,
  }),
  withheld: withheld('withheld'),
}
