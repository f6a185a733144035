import type { BackedUp } from '../../storage/backup/back-up.ts'
import { say, warn } from '../terminal.ts'
import { contentsOf } from './contents.ts'

export function sayDeparture(where: string, { manifest, damaged }: BackedUp): void {
  say(`${where}: ${contentsOf(manifest)}.`)
  sayDamage(damaged.length)
}

export function sayDamage(count: number): void {
  if (count === 0) return
  warn(
    `${count} of the photos and files were damaged before and were taken along as they are; \`furrow doctor\` names them.`,
  )
}
