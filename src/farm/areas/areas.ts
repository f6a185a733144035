import { choice } from '../../fields/choice.ts'
import { geometry } from '../../fields/geometry.ts'
import { reference } from '../../fields/reference.ts'
import { files, flags, images } from '../documentation-fields.ts'
import type { Vocabulary } from '../farm.ts'

export const areaFields = {
  area_type: choice('Area type', 'area_types'),
  assets: reference('Assets', 'asset', {
    many: true,
    computed: 'contents',
  }),
  files,
  flags,
  geofield: geometry('Geometry', { many: true }),
  images,
}

export const areas: Vocabulary = {
  label: 'Area',
  plural: 'Areas',
  title: 'Farm Areas',
  description: 'The places of the farm',
  fields: areaFields,
}
