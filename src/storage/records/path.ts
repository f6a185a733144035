import { createHash } from 'node:crypto'
import type { Snapshot, Transaction } from '../database.ts'
import { CannotOpen } from '../disk/cannot-open.ts'
import { ask, fragment, joined, listed } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import type { PathRow } from '../sql/tables.ts'

export type FieldPath = Pick<PathRow, 'source_type' | 'field' | 'target_type'>

const numbers = new Map<string, number>()

/**
 * The number of a path. It follows from the words alone, so that it is the same in every farm and for ever, and whoever
 * writes or asks need not look it up.
 */
export function pathNumber({ source_type, field, target_type }: FieldPath): number {
  const words = `${source_type} ${field} ${target_type}`
  const known = numbers.get(words)
  if (known !== undefined) return known
  // Below 2 ** 31: what the driver takes for a number without further ado, and four bytes for SQLite.
  const number = createHash('sha256').update(words).digest().readUInt32BE() >>> 1
  numbers.set(words, number)
  return number
}

/** The path to what a field holds itself. */
export const toValue = (source_type: string, field: string): number =>
  pathNumber({ source_type, field, target_type: '' })

/** The field that marks the records of which another field is not shown in every interface, under the name of that field. */
export const markOf = (field: string): string => `hidden ${field.split('.', 1)[0]}`

export interface ReferencePath {
  readonly field: string
  readonly target: string
}

/** The path to what a field refers to. */
export const toTarget = (source_type: string, { field, target }: ReferencePath): number =>
  pathNumber({ source_type, field, target_type: target })

/** Notes which words the numbers stand for, so that rows can be read without the catalogue that wrote them. */
export async function notePaths(tx: Transaction, paths: readonly FieldPath[]): Promise<void> {
  const noted = new Map((await notedPaths(tx)).map((row) => [row.id, row]))
  const fresh: PathRow[] = []
  for (const path of paths) {
    const row = { ...path, id: pathNumber(path) }
    const twin = noted.get(row.id)
    if (twin === undefined) fresh.push(row)
    else if (spelled(twin) !== spelled(row)) throw cannotStandFor(row, twin)
    noted.set(row.id, row)
  }
  if (fresh.length === 0) return
  // Another node may be starting at the same moment; in one order for all, so that none waits for the other.
  const inOrder = fresh
    .toSorted((a, b) => a.id - b.id)
    .map((path) => fragment`(${listed([path.id, path.source_type, path.field, path.target_type])})`)
  await ask(
    tx,
    fragment`insert into path (id, source_type, field, target_type) values ${joined(inOrder, ', ')}
      on conflict (id) do nothing`,
  )
}

export const notedPaths = prepared((snapshot) => snapshot.selectFrom('path').selectAll())

/** The noted paths by which a record can be looked up now. */
export const usedPaths = (snapshot: Snapshot): Promise<readonly PathRow[]> =>
  ask<PathRow>(
    snapshot,
    fragment`select path.* from path where exists (select 1 from reference where reference.path = path.id)
      or exists (select 1 from facet where facet.path = path.id)`,
  )

/** All that lead to records of a type, or to users or files. */
export const pathsTo = (snapshot: Snapshot, target_type: string): Promise<readonly PathRow[]> =>
  pathsToType(snapshot, { target_type })

const pathsToType = prepared((snapshot, { target_type }: { readonly target_type: string }) =>
  snapshot.selectFrom('path').selectAll().where('target_type', '=', target_type),
)

/** A path for people to read. */
export const spelled = ({ source_type, field, target_type }: FieldPath): string =>
  `${field} of ${source_type}${target_type === '' ? '' : ` (to ${target_type})`}`

function cannotStandFor(path: PathRow, noted: PathRow): CannotOpen {
  if (pathNumber(noted) !== noted.id)
    return new CannotOpen(
      `The farm notes ${noted.id} as ${spelled(noted)}, though it stands for ${spelled(path)}. Ask \`furrow doctor\`.`,
    )
  return new CannotOpen(
    `The field ${spelled(path)} would be looked up under the number of ${spelled(noted)}. Give it another name in its module.`,
  )
}
