import { geometry } from '../../fields/geometry.ts'
import { decimal, yesNo } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference, termsOf } from '../../fields/reference.ts'

/** A change of an asset's inventory (docs/rules/inventory.md). */
export const inventory = part(
  'Inventory adjustments',
  { asset: reference('Asset', 'asset', { required: true }), value: decimal('Value', { required: true }) },
  { many: true, newer: { joined: true } },
)

/** The groups of the log's assets from its time on (docs/rules/membership.md). */
export const membership = part(
  'Group membership',
  {
    group: reference('Group', 'asset', { many: true, within: ['group'] }),
    leaves: yesNo('Leaves every group', { only: 'newer', onRequest: true, alone: true }),
  },
  { newer: { joined: true } },
)

/** The place of the log's assets from its time on (docs/rules/location.md). */
export const movement = part(
  'Movement',
  {
    area: termsOf('Area', 'farm_areas', { many: true }),
    geometry: geometry('Geometry'),
    place: reference('Assets as places', 'asset', { many: true, only: 'newer' }),
    leaves: yesNo('Leaves every place', { only: 'newer', onRequest: true, alone: true }),
  },
  { newer: { joined: true } },
)
