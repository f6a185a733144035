import type { ChangeSet } from './change-set.ts'
import type { Snapshot } from './database.ts'
import { ask, fragment, joined, named, word } from './sql/fragment.ts'
import { prepared } from './sql/prepared.ts'
import { inSlices } from './sql/slices.ts'
import type { GivenNumbers } from './sql/undone-numbers.ts'

const types = ['log', 'asset', 'term', 'quantity', 'file'] as const

/** Something that a change has made. */
export interface Made {
  readonly type: (typeof types)[number]
  readonly id: number
  readonly uuid: string
}

/** What has been made since these numbers were given, and is there. */
export const madeSince = (snapshot: Snapshot, given: GivenNumbers): Promise<readonly Made[]> =>
  ask<Made>(
    snapshot,
    joined(
      types.map(
        (type) =>
          fragment`select ${word(`'${type}'`)} as type, id, uuid from ${named(type)} where id > ${given.get(type) ?? 0}`,
      ),
      ' union all ',
    ),
  )

/** A term that was made because a record names it. */
export interface TermByName {
  readonly vocabulary: string
  readonly name: string
}

/** The terms that these changes have made because records name them, in their order. */
export async function termsByName(
  snapshot: Snapshot,
  { termsByName: uuids }: ChangeSet,
): Promise<readonly TermByName[]> {
  const found = await inSlices([...uuids], (slice) => termsWith(snapshot, { uuids: slice }))
  return found.toSorted((a, b) => a.id - b.id).map(({ bundle, name }) => ({ vocabulary: bundle, name }))
}

const termsWith = prepared((snapshot, { uuids }: { readonly uuids: readonly string[] }) =>
  snapshot.selectFrom('term').select(['id', 'bundle', 'name']).where('uuid', 'in', uuids),
)
