import type { Bundle } from '../farm.ts'
import { quantityFields } from '../parts/quantity.ts'
import { revisionMessage } from '../record-fields.ts'

const { measure, value, unit, label, adjustment, inventory_asset, inventory_area, fraction } = quantityFields

/** What every quantity can say. */
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

export const standard: Bundle = {
  label: 'Standard',
  plural: 'Standard quantities',
  fields: standardFields,
}
