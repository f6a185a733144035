import { archiveAt } from '../../storage/backup/archive.ts'
import { verify as verifySource } from '../../storage/backup/verification.ts'
import { command } from '../command.ts'
import { contentsOf } from '../operation/contents.ts'
import { withProgress } from '../operation/progress.ts'
import { say } from '../terminal.ts'

export const verify = command({
  words: 'verify',
  summary: 'Read a backup to its last byte and compare it with its sums',
  takes: { FILE: 'The archive that `furrow backup` has written' },
  options: {},
  async run({ names: { FILE: file } }) {
    const manifest = await withProgress((report) => verifySource(archiveAt(file), report))
    say(`${file} is whole: ${contentsOf(manifest)}.`)
  },
})
