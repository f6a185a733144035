import { type Caller, callerWith } from '../../src/access/caller.ts'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import type { Records } from '../../src/records/records.ts'
import { createIn } from '../../src/records/writing/create.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { Refusal } from '../../src/refusal.ts'
import { inChangeSet } from '../../src/storage/change-set.ts'
import { countMatches } from '../../src/storage/records/finding.ts'
import type { Report } from '../../src/storage/report.ts'
import { newRecordIn } from '../../src/wire-1x/record-draft.ts'
import type { Lookup, PlannedRecord } from './planned-record.ts'

export interface DemoAuthor {
  readonly uid: number
  readonly name: string
}

/** A manager without a request: the demo writes in this account's name. */
export const callerFor = (author: DemoAuthor): Caller => callerWith({ ...author, role: 'manager' }, 'cookie')

const words = {
  log: { one: 'log', many: 'logs' },
  asset: { one: 'asset', many: 'assets' },
  term: { one: 'term', many: 'terms' },
} as const

export async function requireEmptyFarm(records: Records): Promise<void> {
  const firstTerms = Object.values(records.farm.records.term.bundles).flatMap((one) => one.firstTerms ?? [])
  const allowed = { log: 0, asset: 0, term: firstTerms.length }
  for (const type of recordTypeNames) {
    const count = await records.database.read((snapshot) => countMatches(snapshot, { type, conditions: [], order: [] }))
    const recorded = count - allowed[type]
    if (recorded > 0) {
      throw new Refusal(
        'conflict',
        `This farm has records already (${recorded} ${recorded === 1 ? words[type].one : words[type].many}) and the demo needs an empty one. ` +
          'Choose another place with --data, and make a manager there first with `furrow user add`.',
      )
    }
  }
}

/** Records per transaction: few enough that a server beside this command is not blocked. */
const together = 25

interface FillContext {
  readonly records: Records
  readonly caller: Caller
  readonly report: Report
}

/** Writes planned records through the usual functions of `records/`, several per transaction. */
export async function fill({ records, caller, report }: FillContext, planned: readonly PlannedRecord[]): Promise<void> {
  const known = new Map<string, number>()
  const lookup: Lookup = (key) => {
    const id = known.get(key)
    if (id === undefined) throw new Error(`Nothing called "${key}" was planned before`)
    return { id }
  }
  for (let start = 0; start < planned.length; start += together) {
    const slice = planned.slice(start, start + together)
    const now = records.clock()
    const given = { id: newUuid(now), at: now, uid: caller.uid, client: null, request: null }
    await records.database.write((tx) =>
      inChangeSet(tx, given, async (set) => {
        for (const { type, key, at, body } of slice) {
          const work = { installation: { ...records, clock: () => at }, tx, caller, set }
          const { id } = await createIn(work, newRecordIn(records, type, body(lookup)))
          if (key !== '') known.set(key, id)
        }
      }),
    )
    report('records', Math.min(start + together, planned.length), planned.length)
  }
}
