import type { Departure } from '../../storage/backup/leaving.ts'
import { say } from '../terminal.ts'
import { contentsOf } from './contents.ts'

export function sayDeparture(where: string, { manifest, damaged }: Departure): void {
  say(`${where}: ${contentsOf(manifest)}.`)
  if (damaged.length === 0) return
  process.stderr.write(
    `furrow: ${damaged.length} of the photos and files were damaged before and were taken along as they are; ` +
      '`furrow doctor` names them.\n',
  )
}
