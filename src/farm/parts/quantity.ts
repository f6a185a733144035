import { choice } from '../../fields/choice.ts'
import { decimal } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference, termsOf } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'

/** In /api each quantity is a record of its own until a log takes it (farm/quantities/). */
export const quantityFields = {
  measure: choice('Measure', 'measures'),
  value: decimal('Value'),
  unit: termsOf('Unit', 'farm_quantity_units', { newer: { name: 'units', label: 'Units' } }),
  label: text('Label'),
  /** The name of a quantity type; default: the first. */
  type: text('Quantity type', { only: 'newer' }),
  /** The value as written, if it was rounded: `1/3`. */
  fraction: text('Fraction', { only: 'newer', about: 'value', newer: { joined: true } }),
  adjustment: choice('Inventory adjustment', 'inventory_adjustments', {
    only: 'newer',
    newer: { name: 'inventory_adjustment' },
  }),
  inventory_asset: reference('Inventory asset', 'asset', { only: 'newer', also: 'inventory_area' }),
  inventory_area: termsOf('Inventory area', 'farm_areas', { only: 'newer', newer: { joined: true } }),
  material_type: termsOf('Material types', 'farm_materials', { many: true, only: 'newer', cutTo: 'material' }),
  test_method: termsOf('Test method', 'test_method', { only: 'newer' }),
}

export const quantity = part('Quantity', quantityFields, { many: true, newer: { joined: true } })
