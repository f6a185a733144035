import { isTree } from '../../../fields/place.ts'
import { timestamp, validateTimestamp } from '../../../fields/time.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import type { Attribution } from '../../../records/writing/create.ts'
import type { Work } from '../../../records/writing/work.ts'
import type { Fault } from '../../../refusal.ts'
import { accountsByUuids } from '../../../storage/access/account-rows.ts'
import { readAttribute } from '../values/reading.ts'
import { SentPlace } from './sent-place.ts'
import type { SentResource } from './sent-resource.ts'

/** Who moves records in from elsewhere may say who wrote them and when. */
export async function attributionIn(
  { installation, tx }: Work,
  { attributes, relationships }: SentResource,
): Promise<Attribution> {
  const faults: Fault[] = []
  const collected = { faults, words: () => [] }
  const at = new SentPlace(['data', 'attributes', 'created'], collected)
  const seconds =
    attributes.created == null
      ? undefined
      : readAttribute(timestamp('Created'), attributes.created, { farm: installation.farm, place: at })
  const created = typeof seconds === 'number' ? validateTimestamp(timestamp(''), seconds, at) : undefined
  const { uid } = relationships
  const author = isTree(uid) && isTree(uid.data) ? uuidIn(uid.data.id) : undefined
  const account = author === undefined ? undefined : (await accountsByUuids(tx, [author])).get(author)
  if (author !== undefined && account === undefined)
    new SentPlace(['data', 'relationships', 'uid', 'data'], collected).fault(`there is no user ${author}`)
  return {
    ...(created === undefined ? {} : { created }),
    ...(account === undefined ? {} : { uid: account }),
    faults,
  }
}
