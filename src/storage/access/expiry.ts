import type { Writing } from '../database.ts'
import { endFamily } from './token-rows.ts'

const aFew = 20

/** A code is kept beyond its life, so that a second use is recognised and takes back what the first one gave. */
const codesAreRemembered = 90 * 86_400

/** Takes away a few rows that nothing can use any more, also where new ones are written; answers how many. */
export async function sweepExpired(rows: Writing, now: number, most = aFew): Promise<number> {
  let gone = 0
  for (const table of ['session', 'access_token', 'authorization_request', 'authorization_code'] as const) {
    const before = table === 'authorization_code' ? now - codesAreRemembered : now
    const { numDeletedRows } = await rows
      .deleteFrom(table)
      .where('hash', 'in', (any) => any.selectFrom(table).select('hash').where('expires', '<=', before).limit(most))
      .executeTakeFirst()
    gone += Number(numDeletedRows)
  }
  const over = await rows.selectFrom('token_family').select('id').where('ends', '<=', now).limit(most).execute()
  for (const family of over) await endFamily(rows, family.id)
  return gone + over.length
}
