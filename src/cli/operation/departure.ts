import type { BackedUp } from '../../storage/backup/back-up.ts'
import { say } from '../terminal.ts'
import { contentsOf } from './contents.ts'

export function sayDeparture(where: string, { manifest, damaged }: BackedUp): void {
  say(`${where}: ${contentsOf(manifest)}.`)
  if (damaged.length === 0) return
  process.stderr.write(
    `furrow: ${damaged.length} of the photos and files were damaged before and were taken along as they are; ` +
      '`furrow doctor` names them.\n',
  )
}
