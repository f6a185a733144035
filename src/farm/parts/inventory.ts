import { decimal } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference } from '../../fields/reference.ts'

/** By how much the inventory of an asset grew or shrank (docs/rules/inventory.md). */
export const inventory = part(
  'Inventory adjustments',
  { asset: reference('Asset', 'asset', { required: true }), value: decimal('Value', { required: true }) },
  { many: true, newer: { joined: true } },
)
