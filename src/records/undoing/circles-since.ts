import { Refusal } from '../../refusal.ts'
import { type KeptSet, latestSets } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { undoneBy } from '../past/in-effect.ts'
import { refuseCircles } from '../writing/restore.ts'
import type { Work } from '../writing/work.ts'

/**
 * Refuses what would now make a circle. Where nothing that came after the set is in effect, the farm is as it was: circles that late
 * logs had made of the past were there then, and are again.
 */
export async function refuseNewCircles(work: Work, set: KeptSet, written: readonly StoredRecord[]): Promise<void> {
  try {
    for (const record of written) await refuseCircles(work, record)
  } catch (error) {
    if (error instanceof Refusal && (await isLastInEffect(work.tx, set))) return
    throw error
  }
}

const setsAtOnce = 100

async function isLastInEffect(tx: Transaction, set: KeptSet): Promise<boolean> {
  // Newest first, what was undone comes after what undid it.
  const takenBack = new Set<string>()
  for (let after: KeptSet | undefined; ; ) {
    const page = await latestSets(tx, { from: set.at, most: setsAtOnce, ...(after === undefined ? {} : { after }) })
    const later = page.filter((one) => isLater(one, set))
    const undone = await undoneBy(tx, later)
    for (const { id, undoes } of later) {
      takenBack.delete(id)
      if (undone.has(id)) continue
      if (undoes === null) return false
      takenBack.add(undoes)
    }
    after = page.at(-1)
    if (after === undefined || page.length < setsAtOnce || later.length < page.length) return takenBack.size === 0
  }
}

const isLater = (one: KeptSet, { at, id }: KeptSet): boolean => one.at > at || (one.at === at && one.id > id)
