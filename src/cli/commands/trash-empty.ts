import type { Database } from '../../storage/database.ts'
import { inDryRun } from '../../storage/changes.ts'
import { emptyTrash } from '../../storage/emptying.ts'
import { mostTrashDays } from '../../storage/settings.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { counted } from '../operation/trash-holdings.ts'
import { flag, oneOrElse } from '../option.ts'
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
    'dry-run': flag({ help: 'Only say how many records would end' }),
    ...existingFarmOptions,
  },
  async run({ options }) {
    const isDry = options['dry-run']
    const ended = await inExistingFarm(options, ({ database, clock }) => {
      const now = clock()
      const until = now - options['older-than'] * 86_400
      const empty = (one: Database) => emptyTrash(one, { until, now, ifBusy: 'wait' })
      return isDry ? inDryRun(database, empty) : empty(database)
    })
    say(
      `${counted(ended, 'record')} ${isDry ? 'would end for good; a dry run, nothing was changed' : 'ended for good'}.`,
    )
  },
})
