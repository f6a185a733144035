import { geometry } from '../../fields/geometry.ts'
import { reference, termsOf } from '../../fields/reference.ts'
import { richText } from '../../fields/text.ts'
import { inventory, membership, movement } from '../parts/log-effects.ts'
import { quantity } from '../parts/quantity.ts'
import { data, files, flags, images, quick, revisionMessage } from '../record-fields.ts'

const joined = { joined: true } as const

/** Fields of every log, with or without areas (spec 2.2). */
const whatHappened = {
  asset: reference('Assets', 'asset', { many: true, also: 'asset_area', newer: joined }),
  equipment: reference('Equipment used', 'asset', { many: true, within: ['equipment'] }),
  files,
  flags,
  images,
  inventory,
  log_category: termsOf('Log category', 'farm_log_categories', { many: true, newer: { name: 'category' } }),
  log_owner: reference('Assigned to', 'user', { many: true, newer: { name: 'owner' } }),
  membership,
  movement,
  notes: richText('Notes'),
  quantity,
  data,
}

/** Fields that 1.x lacks: areas as subjects of the log, assets as places, groups without a change of membership. */
const beyondThat = {
  asset_area: termsOf('Areas it is about', 'farm_areas', { many: true, only: 'newer', cutTo: 'area', newer: joined }),
  aside: termsOf('Areas it did not take place in', 'farm_areas', {
    many: true,
    only: 'newer',
    cutTo: 'area',
    newer: joined,
  }),
  group: reference('Groups it names', 'asset', { many: true, within: ['group'], only: 'newer', newer: joined }),
  place: reference('Assets it took place in', 'asset', { many: true, only: 'newer', newer: joined }),
  quick,
  revision_log_message: revisionMessage,
}

const area = termsOf('Areas', 'farm_areas', { many: true, newer: joined })
const geofield = geometry('Geometry', { many: true, newer: joined })

/** Logs that took place in areas. */
export const standardFields = { area, ...whatHappened, geofield, ...beyondThat }

/** Logs of plantings: their movement holds the place, so 1.x has no area or geofield on them. */
export const plantingFields = {
  ...whatHappened,
  asset: reference('Planting', 'asset', {
    many: true,
    required: true,
    within: ['planting'],
    also: 'asset_area',
    newer: { ...joined, required: false, within: 'any' },
  }),
  movement: { ...movement, newer: { ...movement.newer, default: true } },
  area: { ...area, only: 'newer' },
  geofield: { ...geofield, only: 'newer' },
  ...beyondThat,
} as const
