import { choice } from '../../fields/choice.ts'
import { geometry } from '../../fields/geometry.ts'
import { reference } from '../../fields/reference.ts'
import { files, flags, images } from '../documentation-fields.ts'
import type { Vocabulary } from '../farm.ts'

export const areas: Vocabulary = {
  label: 'Area',
  plural: 'Areas',
  title: 'Farm Areas',
  description: 'The places of the farm',
  fields: {
    area_type: choice('Area type', 'area_types'),
    assets: reference('Assets', 'farm_asset', {
      many: true,
      computed: 'record a done log that moves the assets to this area instead',
    }),
    files,
    flags,
    geofield: geometry('Geometry', { many: true }),
    images,
  },
}
