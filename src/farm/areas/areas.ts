import { choice } from '../../fields/choice.ts'
import { geometry } from '../../fields/geometry.ts'
import { yesNo } from '../../fields/number.ts'
import { reference } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import { newerAssetFields } from '../assets/standard-fields.ts'
import type { Vocabulary } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { data, files, flags, images, withheld } from '../record-fields.ts'

const { revision_log_message: _, ...newerFields } = newerAssetFields

export const areaFields = {
  area_type: choice('Area type', 'area_types', { newer: { joined: true } }),
  assets: reference('Assets', 'asset', {
    many: true,
    computed: 'contents',
    newer: { joined: true },
  }),
  files,
  flags,
  geofield: geometry('Geometry', { many: true, newer: { joined: true } }),
  images,
  /** Needed if the area type is ambiguous: `other` can be land or a structure. */
  kind: text('Kind', { only: 'newer', about: 'area_type', newer: { joined: true } }),
  archived: timestamp('Archived', { unset: 0, onRequest: true, newer: { joined: true } }),
  withheld: withheld('withheld-area'),
  data: { ...data, only: 'newer' },
  ...newerFields,
  tag: newerTag,
  is_no_location: yesNo('Is location', { only: 'newer', newer: { name: 'is_location', opposite: true } }),
  is_movable: yesNo('Is fixed', { only: 'newer', newer: { name: 'is_fixed', opposite: true } }),
  parent_asset: reference('Parent assets', 'asset', { many: true, only: 'newer', newer: { joined: true } }),
} as const

export const areas: Vocabulary = {
  label: 'Area',
  plural: 'Areas',
  title: 'Farm Areas',
  description: 'The places of the farm',
  fields: areaFields,
  kinds: {
    land: { label: 'Land', plural: 'Land', typeField: { name: 'land_type', label: 'Land type' } },
    structure: {
      label: 'Structure',
      plural: 'Structures',
      typeField: { name: 'structure_type', label: 'Structure type' },
    },
    water: { label: 'Water', plural: 'Water' },
  },
}
