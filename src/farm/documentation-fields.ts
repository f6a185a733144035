import { attachments } from '../fields/attachment.ts'
import { choice } from '../fields/choice.ts'
import { longText, text } from '../fields/text.ts'

/** What logs, assets and areas have in common: how they are documented and marked. */
export const files = attachments('Files', 'any', { newer: { name: 'file' } })
export const images = attachments('Photos', 'image', { newer: { name: 'image' } })
export const flags = choice('Flags', 'flags', { many: true, open: true, newer: { name: 'flag' } })
export const data = longText('Data')

/** What every record of the newer generation can say of itself. */
export const quick = text('Quick forms', { many: true, only: 'newer' })
export const revisionMessage = longText('Revision log message', { only: 'newer', ofRevision: true })
