import type { ResourceType } from '../../../../farm/newer/resource-type.ts'
import { badQuery } from '../../../../records/finding/filter.ts'
import { allOf, type Condition, eitherOf } from '../../../../storage/records/condition.ts'
import { idsOfSlice } from '../../../../storage/records/finding.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import { limits } from '../../../http/limits.ts'
import type { ReadContext } from '../../wire/implied.ts'
import { recordsOf } from '../../wire/loading.ts'
import type { Step } from './step.ts'

/** What no row tells: among the records that may be so, each is looked at. */
export interface LookedAt {
  readonly among: Condition
  readonly isSo: (record: StoredRecord) => boolean
  /** Records that are so without being looked at. */
  readonly orElse: Condition
  readonly step: Step
}

const isLookedAt = (piece: Condition | LookedAt): piece is LookedAt => 'isSo' in piece

/** The records of a type that are all of this. */
export async function lookAt(
  reading: ReadContext,
  type: ResourceType,
  pieces: readonly (Condition | LookedAt)[],
): Promise<Condition> {
  const conditions = pieces.flatMap((piece) => (isLookedAt(piece) ? [] : [piece]))
  const found: Condition[] = []
  for (const piece of pieces.filter(isLookedAt)) {
    const among = allOf([...conditions, piece.among])
    const numbers = await numbersOf(reading, type, { ...piece, among })
    found.push(eitherOf([piece.orElse, { on: 'numbered', numbers }]))
  }
  return allOf([...conditions, ...found])
}

const atOnce = 500

async function numbersOf({ snapshot }: ReadContext, { record, bundles }: ResourceType, looked: LookedAt) {
  const ofType: Condition = { on: 'column value', column: 'bundle', test: { is: 'any of', values: bundles } }
  const search = { type: record, conditions: [ofType, looked.among], order: [] }
  const ids = await idsOfSlice(snapshot, search, { offset: 0, limit: limits.recordsLookedAt + 1 })
  if (ids.length > limits.recordsLookedAt) throw tooMany(looked)
  const numbers: number[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    const records = await recordsOf(snapshot, record, ids.slice(start, start + atOnce))
    for (const [id, one] of records) if (looked.isSo(one)) numbers.push(id)
  }
  return numbers
}

function tooMany({ step: { asked } }: LookedAt) {
  const name = asked.path.join('.')
  const most = `more than ${limits.recordsLookedAt} records would have to be looked at for ${name}`
  return badQuery(asked.parameter, `${most}; ask for fewer of them in the same group of conditions`)
}
