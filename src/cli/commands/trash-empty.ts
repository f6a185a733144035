import { emptyTrash } from '../../storage/emptying.ts'
import { mostTrashDays } from '../../storage/settings.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { counted } from '../operation/trash-holdings.ts'
import { oneOrElse } from '../option.ts'
import { wholeNumber } from '../option-values.ts'
import { say } from '../terminal.ts'

export const trashEmpty = command({
  words: 'trash empty',
  summary: 'End removed records for good, with everything that they said, and free their files',
  takes: {},
  options: {
    'older-than': oneOrElse('DAYS', wholeNumber(0, mostTrashDays), {
      help: 'Only what was removed so many days ago',
      fallback: '0',
    }),
    ...existingFarmOptions,
  },
  async run({ options }) {
    const ended = await inExistingFarm(options, ({ database, clock }) => {
      const now = clock()
      return emptyTrash(database, { until: now - options['older-than'] * 86_400, now, ifBusy: 'wait' })
    })
    say(`${counted(ended, 'record')} ended for good.`)
  },
})
