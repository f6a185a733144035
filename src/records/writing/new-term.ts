import type { RecordToStore } from '../../storage/records/stored.ts'
import { newUuid } from './draft.ts'

interface NewTerm {
  readonly bundle: string
  readonly name: string
  readonly uid: number
  readonly now: number
}

/** A term of which only the name is known. */
export const newTerm = ({ bundle, name, uid, now }: NewTerm): RecordToStore => ({
  type: 'term',
  uuid: newUuid(now),
  bundle,
  uid,
  created: now,
  changed: now,
  revision: 1,
  values: { name, weight: 0 },
})
