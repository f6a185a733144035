import { attachments } from '../fields/attachment.ts'
import { choice } from '../fields/choice.ts'
import { whole } from '../fields/number.ts'
import { part } from '../fields/part.ts'
import { reference } from '../fields/reference.ts'
import { longText, text } from '../fields/text.ts'
import { timestamp } from '../fields/time.ts'

/** Metadata fields of every record. */
export const recordId = (label: string) => whole(label, { readOnly: true, min: 1, max: Number.MAX_SAFE_INTEGER })
export const uid = reference('Author', 'user', { readOnly: true })
export const created = timestamp('Created', { readOnly: true })
export const changed = timestamp('Changed', { readOnly: true })

/** Fields that logs, assets and areas share. */
export const files = attachments('Files', 'any', { newer: { name: 'file' } })
export const images = attachments('Photos', 'image', { newer: { name: 'image' } })
export const flags = choice('Flags', 'flags', { many: true, open: true, newer: { name: 'flag' } })
export const data = longText('Data')

const withheldFields = {
  product: choice('Product', 'withheld_products'),
  until: timestamp('Until'),
  log: reference('Log', 'log'),
}

/** What may not be used yet, until when, and which log says so (docs/rules/withholding.md). */
export const withheld = (computed: 'withheld' | 'withheld-area') =>
  part('Withheld', withheldFields, { many: true, computed, onRequest: true, newer: { joined: true } })

/** Fields of every record in /api. */
export const quick = text('Quick forms', { many: true, only: 'newer' })
export const revisionMessage = longText('Revision log message', { only: 'newer', ofRevision: true })
