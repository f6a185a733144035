import { attachments } from '../fields/attachment.ts'
import { choice } from '../fields/choice.ts'
import { longText } from '../fields/text.ts'

/** What logs, assets and areas have in common: how they are documented and marked. */
export const files = attachments('Files', 'any')
export const images = attachments('Photos', 'image')
export const flags = choice('Flags', 'flags', { many: true, open: true })
export const data = longText('Data')
