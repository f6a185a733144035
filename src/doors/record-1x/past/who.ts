import type { Who } from '../../../records/past/revisions.ts'

/** Somebody who changed something, by the account as it is kept. */
export const whoOf = ({ uid, name, blocked }: Who) => ({ uid: String(uid), name, blocked })
