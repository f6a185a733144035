import { type Caller, requireRight } from '../access/caller.ts'
import type { RecordTypeName } from '../farm/farm.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { Keeping } from './keeping.ts'
import { type Extras, type Sight, sightOf } from './sight.ts'
import { noSuchRecord } from './update.ts'

export interface OneRecord {
  readonly type: RecordTypeName
  readonly id: number
  readonly extras: Extras
}

/** One record, with all that is needed to show it. */
export async function read(keeping: Keeping, caller: Caller, { type, id, extras }: OneRecord): Promise<Sight> {
  requireRight(caller, 'read-records')
  return keeping.database.read(async (rows) => {
    const found = await recordsByIds(rows, type, [id])
    if (found.size === 0) throw noSuchRecord(type, id)
    return sightOf(rows, [...found.values()], { keeping, now: keeping.clock(), extras })
  })
}
