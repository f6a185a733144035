import { exportIn } from '../../storage/backup/directory.ts'
import { command } from '../command.ts'
import { arrivalOptions, arrive } from '../operation/restored.ts'

export const importFarm = command({
  words: 'import',
  summary: 'Fill an empty farm with what `furrow export` has written, from either database',
  takes: { DIR: 'The directory that `furrow export` has written' },
  options: arrivalOptions,
  run: ({ names: { DIR: directory }, options }) => arrive(exportIn(directory), options, 'refuse'),
})
