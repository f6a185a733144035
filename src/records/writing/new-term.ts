import type { Unstored } from '../../storage/records/stored.ts'
import { newIdentity } from './identity.ts'

interface NewTerm {
  readonly bundle: string
  readonly name: string
  readonly uid: number
  readonly now: number
}

/** A term of which only the name is known. */
export const newTerm = ({ bundle, name, uid, now }: NewTerm): Unstored => ({
  type: 'term',
  uuid: newIdentity(now),
  bundle,
  uid,
  created: now,
  changed: now,
  revision: 1,
  values: { name, weight: 0 },
})
