import { backUp } from '../../storage/backup/back-up.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { sayDeparture } from '../operation/departure.ts'
import { inFarmEvenIfIncomplete } from '../operation/existing-farm.ts'
import { withProgress } from '../operation/progress.ts'

export const backup = command({
  words: 'backup',
  summary: 'Write the whole farm into one archive, while the server goes on',
  takes: { FILE: 'The archive to write, such as farm.tar.gz; it must not be there yet' },
  options: existingFarmOptions,
  async run({ names: { FILE: file }, options }) {
    const departure = await inFarmEvenIfIncomplete(options, ({ database, clock }) =>
      withProgress((report) => backUp(database, file, { clock, report })),
    )
    sayDeparture(`${file} is written and verified`, departure)
  },
})
