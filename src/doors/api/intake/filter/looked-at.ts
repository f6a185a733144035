import type { ResourceType } from '../../../../farm/newer/resource-type.ts'
import { badQuery } from '../../../../records/finding/bad-query.ts'
import { allOf, type Condition } from '../../../../storage/records/condition.ts'
import { idsOfSlice } from '../../../../storage/records/finding.ts'
import type { Stored } from '../../../../storage/records/stored.ts'
import { limits } from '../../../http/limits.ts'
import type { ReadContext } from '../../wire/implied.ts'
import { recordsOf } from '../../wire/loading.ts'
import type { Step } from './step.ts'

/** What no row tells: among the records that may be so, each is looked at. */
export interface LookedAt {
  readonly among: Condition
  readonly isSo: (record: Stored) => boolean
  readonly step: Step
}

export const isLookedAt = (piece: Condition | LookedAt): piece is LookedAt => 'isSo' in piece

const atOnce = 500

/** The records of a type that are all of this. */
export async function lookAt(
  { snapshot }: ReadContext,
  { record, bundles }: ResourceType,
  pieces: readonly (Condition | LookedAt)[],
): Promise<Condition> {
  const looked = pieces.filter(isLookedAt)
  const [first] = looked
  const conditions = pieces.map((piece) => (isLookedAt(piece) ? piece.among : piece))
  if (first === undefined) return allOf(conditions)
  const ofType: Condition = { on: 'column value', column: 'bundle', test: { is: 'any of', values: bundles } }
  const search = { type: record, conditions: [ofType, ...conditions], order: [] }
  const ids = await idsOfSlice(snapshot, search, { offset: 0, limit: limits.recordsLookedAt + 1 })
  if (ids.length > limits.recordsLookedAt) throw tooMany(first)
  const numbers: number[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    const records = await recordsOf(snapshot, record, ids.slice(start, start + atOnce))
    for (const [id, one] of records) if (looked.every(({ isSo }) => isSo(one))) numbers.push(id)
  }
  return { on: 'numbered', numbers }
}

function tooMany({ step: { asked } }: LookedAt) {
  const name = asked.path.join('.')
  const most = `more than ${limits.recordsLookedAt} records would have to be looked at for ${name}`
  return badQuery(asked.parameter, `${most}; ask for fewer of them in the same group of conditions`)
}
