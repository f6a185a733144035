import { whole } from '../fields/number.ts'
import { reference } from '../fields/reference.ts'
import { timestamp } from '../fields/time.ts'

/** What the service itself notes on every record. */
export const recordId = (label: string) => whole(label, { readOnly: true, min: 1, max: Number.MAX_SAFE_INTEGER })
export const uid = reference('Author', 'user', { readOnly: true })
export const created = timestamp('Created', { readOnly: true })
export const changed = timestamp('Changed', { readOnly: true })
