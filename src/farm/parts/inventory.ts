import { decimal } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference } from '../../fields/reference.ts'

/** A change of an asset's inventory (docs/rules/inventory.md). */
export const inventory = part(
  'Inventory adjustments',
  { asset: reference('Asset', 'asset', { required: true }), value: decimal('Value', { required: true }) },
  { many: true, newer: { joined: true } },
)
