import { valueLimits } from '../../fields/limits.ts'
import { text } from '../../fields/text.ts'
import { quantityFields } from '../parts/quantity.ts'
import { changed, created, recordId, revisionMessage, uid } from '../record-fields.ts'

export const quantityProperties = {
  id: recordId('Quantity ID'),
  type: text('Type', { required: true, maxLength: valueLimits.nameLength }),
  uid,
  created,
  changed,
}

const { measure, value, unit, label, adjustment, inventory_asset, inventory_area, fraction } = quantityFields

/** Fields of every quantity. */
export const standardFields = {
  measure,
  value,
  unit,
  label,
  adjustment,
  inventory_asset,
  inventory_area,
  fraction,
  revision_log_message: revisionMessage,
}
