import { isDeepStrictEqual } from 'node:util'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import { quantityRowsOfLogs } from '../../storage/records/quantity-rows.ts'
import { knownBy } from '../../storage/records/record-lookup.ts'
import { lockToRemove } from '../../storage/records/record-rows.ts'
import { type Referrer, referrersOf } from '../../storage/records/referrers.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { refuseIfTaken } from '../quantities/taking.ts'
import { refuseIfChanged } from './draft.ts'
import { storeRemoval } from './storing.ts'
import { noSuchRecord } from './update.ts'
import type { WriteContext } from './write-context.ts'

interface RecordRemoval {
  readonly type: RecordTypeName
  readonly id: number
  /** The revisions that the caller may have seen; a record that has moved on since is not removed. */
  readonly seen?: readonly number[]
}

/** Removes a record that nothing else refers to, as a part of a transaction. */
export async function removeIn(
  { installation, tx, caller, set }: WriteContext,
  { type, id, seen }: RecordRemoval,
): Promise<void> {
  requireRight(caller, 'write-records')
  const record = await lockToRemove(tx, type, id)
  if (record === undefined) throw noSuchRecord(type, id)
  refuseIfTaken(record)
  await refuseIfChanged(tx, record, seen)
  await refuseIfReferredTo(tx, record)
  await storeRemoval(tx, installation.farm, { record, set, at: installation.clock() })
}

async function refuseIfReferredTo(tx: Transaction, { type, id }: StoredRecord): Promise<void> {
  for (;;) {
    const referrers = await referrersOf(tx, type, id)
    if (referrers.length === 0) return
    const inTheWay = await namesOf(tx, referrers)
    // If others changed some of them meanwhile, names are missing.
    if (isDeepStrictEqual(referrers, await referrersOf(tx, type, id)))
      throw stillReferredTo(`${type} ${id}`, { referrers, inTheWay })
  }
}

interface Obstacle {
  readonly referrers: readonly Referrer[]
  readonly inTheWay: ReadonlySet<string>
}

function stillReferredTo(record: string, { referrers, inTheWay }: Obstacle): Refusal {
  const shown = referrers.slice(0, 5)
  const named = shown.map(({ type, id }) => `${type} ${id}`).join(', ')
  const more = referrers.length > shown.length ? ' and others' : ''
  return new Refusal(
    'conflict',
    `${record} cannot be deleted: ${named}${more} ${shown.length + (more === '' ? 0 : 1) > 1 ? 'still refer' : 'still refers'} to it. Change or delete those first.`,
    {
      faults: shown.map(({ type, id, fields }) => ({
        field: `${type}/${id}`,
        message: `refers to it in ${fields.join(', ')}`,
      })),
      inTheWay,
    },
  )
}

/** A log also changes by its quantities, which have names of their own. */
async function namesOf(tx: Transaction, referrers: readonly Referrer[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const { type, id } of referrers) {
    names.add(String(id))
    // Only records refer.
    const known = (await knownBy(tx, type as RecordTypeName, [id])).get(id)
    if (known !== undefined) names.add(known.uuid)
    const quantities = type === 'log' ? await quantityRowsOfLogs(tx, [id]) : []
    for (const { uuid } of quantities) names.add(uuid)
  }
  return names
}
