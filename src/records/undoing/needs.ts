import { allTypeNames, recordTypeNames } from '../../farm/fields-of.ts'
import { findAccounts } from '../../storage/access/account-rows.ts'
import type { Snapshot } from '../../storage/database.ts'
import { revisionsByIds } from '../../storage/records/record-rows.ts'
import { firstReferrers, pathsTaken, type Referrer } from '../../storage/records/referrers.ts'
import { keptFiles } from '../../storage/unused-files.ts'
import { unknownIn } from '../moving/consequences.ts'
import type { Records } from '../records.ts'
import type { NamedReference } from '../writing/named-records.ts'
import { namedBy, newlyNamed, unknownAmongChanges } from '../writing/put-back.ts'
import { keyOf } from './set-records.ts'
import { everyTenth, type UndoStep } from './steps.ts'

/** Read-only context of a check. */
export interface JudgementContext {
  readonly installation: Records
  readonly tx: Snapshot
}

/** The preconditions of a step. */
export interface Needs {
  /** References to missing records. */
  readonly missing: readonly NamedReference[]
  /** Records that refer to one to be removed. */
  readonly referrers: readonly Referrer[]
  /** The reason why the earlier state is unknown. */
  readonly unknown: string | null
}

/** The needs of each step, by the key of its record. */
export async function needsOf(work: JudgementContext, steps: readonly UndoStep[]): Promise<ReadonlyMap<string, Needs>> {
  const named = new Map(steps.map((step) => [keyOf(step.record), namesAgain(work, step)]))
  const there = await thereAmong(work, [...named.values()].flat())
  const referrers = await referrersOfRemoved(work, steps)
  return new Map(
    steps.map((step) => {
      const key = keyOf(step.record)
      const missing = (named.get(key) ?? []).filter(({ to, id }) => !there.has(`${to} ${id}`))
      return [key, { missing, referrers: referrers.get(key) ?? [], unknown: unknownTo(work, step) }]
    }),
  )
}

async function referrersOfRemoved(
  { tx }: JudgementContext,
  steps: readonly UndoStep[],
): Promise<ReadonlyMap<string, readonly Referrer[]>> {
  const referrers = new Map<string, readonly Referrer[]>()
  // Enough to include referrers outside of this set, if there are any.
  const most = steps.length + 6
  for (const type of allTypeNames) {
    const removed = steps.filter(({ verb, record }) => verb === 'remove' && record.type === type)
    const ids = removed.map(({ record }) => record.id)
    await everyTenth([...(await pathsTaken(tx, type, ids))], async ([id, paths]) => {
      referrers.set(keyOf({ type, id }), await firstReferrers(tx, { type, id, most, paths }))
    })
  }
  return referrers
}

/** References that the record would get back. */
function namesAgain(
  { installation: { farm } }: JudgementContext,
  { current, wanted }: UndoStep,
): readonly NamedReference[] {
  if (wanted === undefined) return []
  return current === undefined ? namedBy(farm, wanted) : newlyNamed(farm, current, wanted.values)
}

function unknownTo({ installation: { farm } }: JudgementContext, { current, wanted }: UndoStep): string | null {
  if (wanted === undefined) return null
  if (current !== undefined) return unknownAmongChanges(farm, current, wanted.values)?.message ?? null
  const unknown = unknownIn(farm, wanted)
  return unknown === null ? null : `has ${unknown}, which no installed module knows`
}

/** The existing targets, including files that no record names. */
async function thereAmong(
  { tx, installation }: JudgementContext,
  named: readonly NamedReference[],
): Promise<ReadonlySet<string>> {
  const idsOf = (wanted: NamedReference['to']) => [
    ...new Set(named.filter(({ to }) => to === wanted).map(({ id }) => id)),
  ]
  const there = new Set([...installation.vocabularies.values()].map((vid) => `vocabulary ${vid}`))
  for (const type of recordTypeNames)
    for (const id of (await revisionsByIds(tx, type, idsOf(type))).keys()) there.add(`${type} ${id}`)
  for (const { uid } of await findAccounts(tx, idsOf('user'))) there.add(`user ${uid}`)
  for (const id of (await keptFiles(tx, idsOf('file'))).keys()) there.add(`file ${id}`)
  return there
}
