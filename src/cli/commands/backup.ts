import { backUp } from '../../storage/backup/back-up.ts'
import { noteBackup } from '../../storage/settings.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { sayDeparture } from '../operation/departure.ts'
import { inFarmEvenIfIncomplete } from '../operation/existing-farm.ts'
import { withProgress } from '../operation/progress.ts'
import { warn } from '../terminal.ts'

export const backup = command({
  words: 'backup',
  summary: 'Write the whole farm into one archive, while the server goes on',
  takes: { FILE: 'The archive to write, such as farm.tar.gz; it must not be there yet' },
  options: existingFarmOptions,
  async run({ names: { FILE: file }, options }) {
    const departure = await inFarmEvenIfIncomplete(options, async ({ database, clock }) => {
      const at = clock()
      const done = await withProgress((report) => backUp(database, file, { clock, report }))
      // A farm that cannot be written to any more is all the more worth a backup.
      await database
        .write((tx) => noteBackup(tx, at))
        .catch(() => warn('The farm could not note that it was backed up.'))
      return done
    })
    sayDeparture(`${file} is written and verified`, departure)
  },
})
