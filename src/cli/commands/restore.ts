import { archiveAt } from '../../storage/backup/archive.ts'
import { command } from '../command.ts'
import { arrivalOptions, arrive } from '../operation/restored.ts'
import { flag } from '../option.ts'

export const restore = command({
  words: 'restore',
  summary: 'Make the farm what it was when a backup was written; the server must be stopped',
  takes: { FILE: 'The archive that `furrow backup` has written' },
  options: {
    ...arrivalOptions,
    replace: flag({ help: 'Replace the farm that is there; it is kept aside and not deleted' }),
  },
  run: ({ names: { FILE: file }, options }) =>
    arrive(archiveAt(file), options, options.replace ? 'keep-aside' : 'refuse'),
})
