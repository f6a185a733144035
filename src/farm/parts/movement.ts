import { geometry } from '../../fields/geometry.ts'
import { yesNo } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference, termsOf } from '../../fields/reference.ts'

/** The place of the log's assets from its time on (docs/rules/location.md). */
export const movement = part(
  'Movement',
  {
    area: termsOf('Area', 'farm_areas', { many: true }),
    geometry: geometry('Geometry'),
    place: reference('Assets as places', 'asset', { many: true, only: 'newer' }),
    leaves: yesNo('Leaves every place', { only: 'newer', alone: true }),
  },
  { newer: { joined: true } },
)
