import { reference } from '../../fields/reference.ts'
import { richText } from '../../fields/text.ts'
import { data, files, flags, images } from '../documentation-fields.ts'

export const standardFields = { description: richText('Description'), files, flags, images, data }

export const parent = reference('Parent(s)', 'asset', { many: true })
