import { openRecords } from '../../records/records.ts'
import { tryUndoing, undoInSlices } from '../../records/undoing/in-slices.ts'
import type { SkippedRecord } from '../../records/undoing/undo-plan.ts'
import { knownAs } from '../../records/undoing/set-records.ts'
import type { UndoStep } from '../../records/undoing/steps.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { callerCalled } from '../operation/one-change.ts'
import { withProgress } from '../operation/progress.ts'
import { flag, one } from '../option.ts'
import { anyText } from '../option-values.ts'
import { say, sayTable } from '../terminal.ts'

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

const words = { remove: 'removed', update: 'changed back', restore: 'restored' } as const

function countsOf(undone: readonly UndoStep[]): string {
  const counts = (['remove', 'update', 'restore'] as const).flatMap((verb) => {
    const count = undone.filter((step) => step.verb === verb).length
    return count === 0 ? [] : [`${count} ${words[verb]}`]
  })
  return counts.join(', ') || 'nothing was to be done'
}

const cellsOf = ({ record, because }: SkippedRecord): string[] => [
  `${record.type} ${record.id}`,
  String(knownAs(record)?.values.name ?? '-'),
  because,
]
