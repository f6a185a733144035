import type { Installation } from '../access/installation.ts'
import { nameKey } from '../access/names.ts'
import { allTypeNames } from '../farm/fields-of.ts'
import { type SetCounts, type SetView, setsAmong } from '../records/past/change-sets.ts'
import { openRecords } from '../records/records.ts'
import { tryUndoing, undoInSlices } from '../records/undoing/in-slices.ts'
import { knownAs } from '../records/undoing/set-records.ts'
import type { UndoStep } from '../records/undoing/steps.ts'
import type { SkippedRecord } from '../records/undoing/undo-plan.ts'
import { Refusal } from '../refusal.ts'
import { findAccountByName } from '../storage/access/account-rows.ts'
import { command, existingFarmOptions } from './command.ts'
import { callerCalled, inExistingFarm } from './existing-farm.ts'
import { flag, one, oneOrElse } from './option.ts'
import { anyText, pastMoment, wholeNumber } from './option-values.ts'
import { withProgress } from './progress.ts'
import { say, sayJson, sayTable, timeOf } from './terminal.ts'

const asJson = ({ at, ...set }: SetView) => ({ time: timeOf(at), ...set })

const asCells = ({ id, at, who, counts, undoes, undone_by }: SetView): string[] => [
  id,
  timeOf(at),
  who.name ?? '-',
  (undoes === null ? '' : 'undoing: ') + spelled(counts),
  undone_by ?? '-',
]

const spelled = (counts: SetCounts): string =>
  allTypeNames
    .flatMap((type) =>
      (['create', 'update', 'remove', 'restore'] as const).flatMap((verb) => {
        const count = counts[type]?.[verb]
        return count === undefined ? [] : [`${count} ${count === 1 ? type : severalOf[type]} ${words[verb]}`]
      }),
    )
    .join(', ')

const severalOf = { log: 'logs', asset: 'assets', term: 'terms', quantity: 'quantities' } as const

const words = { create: 'made', update: 'changed', remove: 'removed', restore: 'restored' } as const

export const sets = command({
  words: 'sets',
  summary: 'List which changes were made together, by whom and when, newest first',
  takes: {},
  options: {
    user: one('NAME', anyText, { help: 'Only those of this account' }),
    from: one('WHEN', pastMoment, { help: 'Only those since then: 30m, 24h, 7d, 2026-11-15 or 2026-11-15T08:00Z' }),
    to: one('WHEN', pastMoment, { help: 'Only those before then' }),
    limit: oneOrElse('N', wholeNumber(1, 10_000), { help: 'At most so many', fallback: '50' }),
    json: flag({ help: 'As JSON, for programs' }),
    ...existingFarmOptions,
  },
  async run({ options: { user, from, to, limit, json, ...farm } }) {
    const found = await inExistingFarm(farm, async (installation) => {
      const now = installation.clock()
      const query = {
        limit,
        ...(user === undefined ? {} : { uid: await uidOf(installation, user) }),
        ...(from === undefined ? {} : { from: from(now) }),
        ...(to === undefined ? {} : { to: to(now) }),
      }
      return (await installation.database.read((snapshot) => setsAmong(snapshot, query))).sets
    })
    if (json) sayJson(found.map(asJson))
    else sayTable(['SET', 'TIME', 'USER', 'CHANGES', 'UNDONE BY'], found.map(asCells))
  },
})

async function uidOf({ database }: Installation, name: string): Promise<number> {
  const account = await database.read((snapshot) => findAccountByName(snapshot, nameKey(name)))
  if (account !== undefined) return account.uid
  throw new Refusal('not-found', `There is no account named "${name}": \`furrow user list\` lists them.`)
}

const undoWords = { remove: 'removed', update: 'changed back', restore: 'restored' } as const

const cellsOf = ({ record, because }: SkippedRecord): string[] => [
  `${record.type} ${record.id}`,
  String(knownAs(record)?.values.name ?? '-'),
  because,
]

export const undo = command({
  words: 'undo',
  summary: 'Take back all changes of one request; many of them in slices, while others go on writing',
  takes: { SET: 'The id of the set, as `furrow sets` lists it' },
  options: {
    'leave-used': flag({ help: 'Leave what others use or have changed since as it is, and list it' }),
    'dry-run': flag({ help: 'Only say what would be undone, and what stands in the way' }),
    author: one('NAME', anyText, { help: 'The account that the change is noted as that of; none where none is given' }),
    ...existingFarmOptions,
  },
  async run({ names: { SET: set }, options: { 'leave-used': leaveUsed, 'dry-run': isDry, author, ...farm } }) {
    const leave = leaveUsed ? 'used' : 'nothing'
    const {
      set: undoing,
      undone,
      left,
    } = await inExistingFarm(farm, async (installation) => {
      const records = await openRecords(installation)
      const caller = await callerCalled(installation, author)
      const undoing = isDry ? tryUndoing : undoInSlices
      return withProgress((report) => undoing(records, { set, leave, caller, report }))
    })
    if (isDry) say(`A dry run, nothing was changed. To be undone: ${countsOf(undone)}.`)
    else if (undoing === null) say('Nothing was undone.')
    else say(`Undone by the set ${undoing}: ${countsOf(undone)}.`)
    if (left.length > 0) sayTable(['LEFT', 'NAME', 'BECAUSE IT'], left.map(cellsOf))
  },
})

function countsOf(undone: readonly UndoStep[]): string {
  const counts = (['remove', 'update', 'restore'] as const).flatMap((verb) => {
    const count = undone.filter((step) => step.verb === verb).length
    return count === 0 ? [] : [`${count} ${undoWords[verb]}`]
  })
  return counts.join(', ') || 'nothing was to be done'
}
