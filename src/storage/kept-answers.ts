import type { Selectable } from 'kysely'
import type { ChangeSet } from './change-set.ts'
import type { Snapshot, Transaction } from './database.ts'
import { ask, fragment, inSlices, joined, named, word } from './sql/fragment.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'
import type { GivenNumbers } from './sql/record-numbers.ts'
import type { KeptAnswerRow } from './sql/tables.ts'

type KeptAnswer = Pick<Selectable<KeptAnswerRow>, 'status' | 'headers' | 'body'>

interface Key {
  readonly uid: number
  readonly key: string
  readonly request: string
  readonly now: number
}

const keptForSeconds = 24 * 60 * 60

/**
 * Takes a key for a request that is about to be carried out. Gives what was answered to it before, if anything;
 * of requests with the same key at the same time all but one wait for that one's answer.
 */
export async function claimKey(
  tx: Transaction,
  { uid, key, request, now }: Key,
): Promise<Selectable<KeptAnswerRow> | undefined> {
  await forgetOld(tx, { uid, key, before: now - keptForSeconds })
  const claimed = await claim(tx, { uid, key, request, now })
  return claimed === undefined ? answerUnder(tx, { uid, key }) : undefined
}

type AnswerKey = Pick<Key, 'uid' | 'key'>

const forgetOld = preparedChange((tx, { uid, key, before }: AnswerKey & { readonly before: number }) =>
  tx.deleteFrom('kept_answer').where('uid', '=', uid).where('key', '=', key).where('created', '<', before),
)

const claim = preparedFirst((tx: Transaction, { uid, key, request, now }: Key) =>
  tx
    .insertInto('kept_answer')
    .values({ uid, key, request, status: 0, headers: '', body: '', created: now })
    .onConflict((conflict) => conflict.columns(['uid', 'key']).doNothing())
    .returning('uid'),
)

const answerUnder = preparedFirst((snapshot, { uid, key }: AnswerKey) =>
  snapshot.selectFrom('kept_answer').selectAll().where('uid', '=', uid).where('key', '=', key),
)

export async function keepAnswer(tx: Transaction, { uid, key }: AnswerKey, answer: KeptAnswer): Promise<void> {
  const { status, headers, body } = answer
  await setAnswer(tx, { uid, key, status, headers, body })
}

const setAnswer = preparedChange((tx, { uid, key, ...answer }: AnswerKey & KeptAnswer) =>
  tx.updateTable('kept_answer').set(answer).where('uid', '=', uid).where('key', '=', key),
)

/** Takes away some of the answers that nobody can ask for any more, and tells how many. */
export async function sweepAnswers(tx: Transaction, now: number, most: number): Promise<number> {
  return deleteOld(tx, { before: now - keptForSeconds, most })
}

const deleteOld = preparedChange((tx, { before, most }: { readonly before: number; readonly most: number }) =>
  tx
    .deleteFrom('kept_answer')
    .where((row) =>
      row(
        row.refTuple('uid', 'key'),
        'in',
        row
          .selectFrom('kept_answer')
          .select(['uid', 'key'])
          .where('created', '<', before)
          .limit(most)
          .$asTuple('uid', 'key'),
      ),
    ),
)

const types = ['log', 'asset', 'term', 'quantity', 'file'] as const

export interface CreatedIdentity {
  readonly type: (typeof types)[number]
  readonly id: number
  readonly uuid: string
}

/** Existing records with ids above these. */
export const madeSince = (snapshot: Snapshot, given: GivenNumbers): Promise<readonly CreatedIdentity[]> =>
  ask<CreatedIdentity>(
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
