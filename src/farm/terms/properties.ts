import { valueLimits } from '../../fields/limits.ts'
import { whole } from '../../fields/number.ts'
import { reference } from '../../fields/reference.ts'
import { longText, text } from '../../fields/text.ts'
import { files, images, recordId, revisionMessage } from '../record-fields.ts'

export const termProperties = {
  tid: recordId('Term ID'),
  name: text('Name', { required: true, maxLength: valueLimits.nameLength }),
  description: longText('Description', { maxLength: valueLimits.textLength, takesRich: true }),
  vocabulary: reference('Vocabulary', 'vocabulary', { required: true }),
  parent: reference('Parent', 'term', { many: true, within: 'own' }),
  weight: whole('Weight'),
  /** The text format of the description, if it is not the default. */
  description_format: text('Format of the description', {
    only: 'newer',
    about: 'description',
    newer: { joined: true },
  }),
  external_uri: text('External links', { many: true, only: 'newer' }),
  files: { ...files, only: 'newer' },
  images: { ...images, only: 'newer' },
  revision_log_message: revisionMessage,
} as const
