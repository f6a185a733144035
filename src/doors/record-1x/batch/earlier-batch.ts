import { createHash } from 'node:crypto'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { isTree } from '../../../fields/place.ts'
import { uuidTaken } from '../../../records/writing/create-once.ts'
import type { Work } from '../../../records/writing/work.ts'
import { findChangeSet } from '../../../storage/change-set.ts'

/** What became of one operation: of which record, or why of none. */
export type Result =
  | { readonly status: number; readonly type: RecordTypeName; readonly id: number }
  | { readonly status: number; readonly problem: unknown }

/** What is kept of a batch that has a UUID. */
interface KeptBatch {
  readonly sent: string
  readonly results: readonly Result[]
}

/** The results of the same batch, if its sender has sent it before; under the UUID of other changes it is refused. */
export async function earlierResults(work: Work, body: unknown): Promise<readonly Result[] | undefined> {
  const { tx, caller, set } = work
  const found = await findChangeSet(tx, set.id)
  if (found === undefined) return undefined
  if (found.uid !== caller.uid) throw uuidTaken('stands for changes that another account has made; take a new one')
  const kept: KeptBatch | null = JSON.parse(found.results ?? 'null')
  if (kept?.sent === fingerprintOf(body)) return kept.results.map(asItReadsNow)
  throw uuidTaken('stands for other changes that you have sent; take a new one for this batch')
}

/** What was made then is not made now. */
const asItReadsNow = (result: Result): Result => ('problem' in result ? result : { ...result, status: 200 })

/** Kept with the changes themselves, so that the same batch is known however late it comes again. */
export function keepResults({ set }: Work, body: unknown, results: readonly Result[]): void {
  const kept: KeptBatch = { sent: fingerprintOf(body), results }
  set.results = JSON.stringify(kept)
}

/** The same in JSON and in XML, which has no numbers, and in any order of the members. The UUID itself is known. */
function fingerprintOf(body: unknown): string {
  const sent = isTree(body) ? { ...body, uuid: null } : body
  return createHash('sha256')
    .update(JSON.stringify(plain(sent)))
    .digest('base64url')
}

function plain(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(plain)
  if (!isTree(tree)) return String(tree)
  const names = Object.keys(tree).filter((name) => tree[name] !== null)
  return names.toSorted().map((name) => [name, plain(tree[name])])
}
