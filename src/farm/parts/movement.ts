import { geometry } from '../../fields/geometry.ts'
import { part } from '../../fields/part.ts'
import { termsOf } from '../../fields/reference.ts'

/** Where the log's assets are from its time on (docs/rules/location.md). */
export const movement = part('Movement', {
  area: termsOf('Area', 'farm_areas', { many: true }),
  geometry: geometry('Geometry'),
})
