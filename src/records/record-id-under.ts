import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot } from '../storage/database.ts'
import { identitiesOf } from '../storage/identity.ts'
import { noSuchRecord } from './writing/update.ts'

/** The id of the record of this type that has the UUID; of one that was removed, too. */
export async function recordIdUnder(snapshot: Snapshot, type: RecordTypeName, uuid: string): Promise<number> {
  const identity = (await identitiesOf(snapshot, [uuid])).get(uuid)
  if (identity?.type !== type) throw noSuchRecord(type, uuid)
  return identity.number
}
