import type { Selectable } from 'kysely'
import type { Writing } from './database.ts'
import type { KeptAnswerRow } from './tables.ts'

export type KeptAnswer = Pick<Selectable<KeptAnswerRow>, 'status' | 'headers' | 'body'>

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
  rows: Writing,
  { uid, key, request, now }: Key,
): Promise<Selectable<KeptAnswerRow> | undefined> {
  await rows
    .deleteFrom('kept_answer')
    .where('uid', '=', uid)
    .where('key', '=', key)
    .where('created', '<', now - keptForSeconds)
    .execute()
  const claimed = await rows
    .insertInto('kept_answer')
    .values({ uid, key, request, status: 0, headers: '', body: '', created: now })
    .onConflict((conflict) => conflict.columns(['uid', 'key']).doNothing())
    .returning('uid')
    .executeTakeFirst()
  if (claimed !== undefined) return undefined
  return rows.selectFrom('kept_answer').selectAll().where('uid', '=', uid).where('key', '=', key).executeTakeFirst()
}

export async function keepAnswer(
  rows: Writing,
  { uid, key }: Pick<Key, 'uid' | 'key'>,
  answer: KeptAnswer,
): Promise<void> {
  await rows.updateTable('kept_answer').set(answer).where('uid', '=', uid).where('key', '=', key).execute()
}

/** Takes away some of the answers that nobody can ask for any more, and tells how many. */
export async function sweepAnswers(rows: Writing, now: number, most: number): Promise<number> {
  const { numDeletedRows } = await rows
    .deleteFrom('kept_answer')
    .where((row) =>
      row(
        row.refTuple('uid', 'key'),
        'in',
        row
          .selectFrom('kept_answer')
          .select(['uid', 'key'])
          .where('created', '<', now - keptForSeconds)
          .limit(most)
          .$asTuple('uid', 'key'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
