import { choice } from '../../fields/choice.ts'
import { part } from '../../fields/part.ts'
import { text } from '../../fields/text.ts'

export const tag = part(
  'ID Tag(s)',
  { id: text('Tag ID'), location: text('Tag location'), type: choice('Tag type', 'tag_types') },
  { many: true, newer: { name: 'id_tag', label: 'ID tags' } },
)

/** For types that have tags in /api only. */
export const newerTag = { ...tag, only: 'newer' } as const
