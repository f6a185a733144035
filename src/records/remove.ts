import { type Caller, requireRight } from '../access/caller.ts'
import type { RecordTypeName } from '../farm/farm.ts'
import { Refusal } from '../refusal.ts'
import { type Referrer, referrersOf } from '../storage/records/index-rows.ts'
import { lockToRemove } from '../storage/records/record-rows.ts'
import type { Keeping } from './keeping.ts'
import { storeRemoval } from './storing.ts'
import { noSuchRecord } from './update.ts'

/** Removes a record that nothing else refers to. */
export async function remove(
  keeping: Keeping,
  caller: Caller,
  { type, id }: { readonly type: RecordTypeName; readonly id: number },
): Promise<void> {
  requireRight(caller, 'write-records')
  await keeping.database.write(async (rows) => {
    const record = await lockToRemove(rows, type, id)
    if (record === undefined) throw noSuchRecord(type, id)
    const referrers = await referrersOf(rows, type, id)
    if (referrers.length > 0) throw stillReferredTo(`${type} ${id}`, referrers)
    await storeRemoval(rows, keeping.farm, { record, uid: caller.uid, at: keeping.clock() })
  })
}

function stillReferredTo(record: string, referrers: readonly Referrer[]): Refusal {
  const shown = referrers.slice(0, 5)
  const named = shown.map(({ type, id }) => `${type} ${id}`).join(', ')
  const more = referrers.length > shown.length ? ' and others' : ''
  return new Refusal(
    'conflict',
    `${record} cannot be deleted: ${named}${more} still refer to it. Change or delete those first.`,
    {
      faults: shown.map(({ type, id, field }) => ({ field: `${type}/${id}`, message: `refers to it in ${field}` })),
    },
  )
}
