import { createHash } from 'node:crypto'
import { CannotOpen } from '../cannot-open.ts'
import type { Reading, Writing } from '../database.ts'
import type { PathRow } from '../tables.ts'

export type Path = Pick<PathRow, 'source_type' | 'field' | 'target_type'>

const numbers = new Map<string, number>()

/**
 * The number of a path. It follows from the words alone, so that it is the same in every farm and for ever, and whoever
 * writes or asks need not look it up.
 */
export function pathNumber({ source_type, field, target_type }: Path): number {
  const words = `${source_type} ${field} ${target_type}`
  const known = numbers.get(words)
  if (known !== undefined) return known
  // A bit less than four bytes: what both engines and the driver take for a small number.
  const number = createHash('sha256').update(words).digest().readUInt32BE() >>> 1
  numbers.set(words, number)
  return number
}

/** Notes which words the numbers stand for, so that rows can be read without the catalogue that wrote them. */
export async function notePaths(rows: Writing, paths: readonly Path[]): Promise<void> {
  const noted = new Map((await pathsIn(rows)).map((row) => [row.id, row]))
  const fresh: PathRow[] = []
  for (const path of paths) {
    const row = { ...path, id: pathNumber(path) }
    const twin = noted.get(row.id)
    if (twin === undefined) fresh.push(row)
    else if (spelled(twin) !== spelled(row)) throw sameNumber(twin, row)
    noted.set(row.id, row)
  }
  if (fresh.length === 0) return
  // Another node may be starting at the same moment.
  await rows
    .insertInto('path')
    .values(fresh)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

const pathsIn = (rows: Reading): Promise<readonly PathRow[]> => rows.selectFrom('path').selectAll().execute()

const spelled = ({ source_type, field, target_type }: Path): string =>
  `${field} of ${source_type}${target_type === '' ? '' : ` (to ${target_type})`}`

const sameNumber = (one: Path, other: Path): CannotOpen =>
  new CannotOpen(
    `The fields ${spelled(one)} and ${spelled(other)} would be looked up under the same number. ` +
      'Give one of them another name in its module.',
  )
