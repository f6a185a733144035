import type { Writing } from '../database.ts'
import { endFamily } from './token-rows.ts'

const mostAtOnce = 20

/** A code is kept beyond its life, so that a second use is recognised and takes back what the first one gave. */
const codesAreRemembered = 90 * 86_400

/** Takes away a few rows that nothing can use any more; called where new ones are written, so that none pile up. */
export async function sweepExpired(rows: Writing, now: number): Promise<void> {
  for (const table of ['session', 'access_token', 'authorization_request', 'authorization_code'] as const) {
    const before = table === 'authorization_code' ? now - codesAreRemembered : now
    await rows
      .deleteFrom(table)
      .where('hash', 'in', (any) =>
        any.selectFrom(table).select('hash').where('expires', '<=', before).limit(mostAtOnce),
      )
      .execute()
  }
  const over = await rows.selectFrom('token_family').select('id').where('ends', '<=', now).limit(mostAtOnce).execute()
  for (const family of over) await endFamily(rows, family.id)
}
