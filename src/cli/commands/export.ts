import { exportTo } from '../../storage/backup/back-up.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { sayDeparture } from '../operation/departure.ts'
import { inFarmEvenIfIncomplete } from '../operation/existing-farm.ts'
import { withProgress } from '../operation/progress.ts'

export const exportFarm = command({
  words: 'export',
  summary: 'Write the whole farm as readable files of JSON lines, while the server goes on',
  takes: { DIR: 'The directory to write to; it is created, or must be empty' },
  options: existingFarmOptions,
  async run({ names: { DIR: directory }, options }) {
    const departure = await inFarmEvenIfIncomplete(options, ({ database }) =>
      withProgress((report) => exportTo(database, directory, report)),
    )
    sayDeparture(`${directory} is written`, departure)
  },
})
