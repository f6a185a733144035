import { geometry } from '../../fields/geometry.ts'
import { reference, termsOf } from '../../fields/reference.ts'
import { richText } from '../../fields/text.ts'
import { data, files, flags, images } from '../documentation-fields.ts'
import { inventory } from '../parts/inventory.ts'
import { membership } from '../parts/membership.ts'
import { movement } from '../parts/movement.ts'
import { quantity } from '../parts/quantity.ts'

/** What every log can say, wherever it took place (spec 2.2). */
const whatHappened = {
  asset: reference('Assets', 'asset', { many: true }),
  equipment: reference('Equipment used', 'asset', { many: true, within: ['equipment'] }),
  files,
  flags,
  images,
  inventory,
  log_category: termsOf('Log category', 'farm_log_categories', { many: true }),
  log_owner: reference('Assigned to', 'user', { many: true }),
  membership,
  movement,
  notes: richText('Notes'),
  quantity,
  data,
}

/** Logs that took place in areas. */
export const standardFields = {
  area: termsOf('Areas', 'farm_areas', { many: true }),
  ...whatHappened,
  geofield: geometry('Geometry', { many: true }),
}

/** Logs of plantings: their movement says where they took place, so they have no area or geofield of their own. */
export const plantingFields = {
  ...whatHappened,
  asset: reference('Planting', 'asset', { many: true, required: true, within: ['planting'] }),
}
