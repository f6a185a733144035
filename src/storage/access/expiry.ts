import type { Writing } from '../database.ts'
import { prepared, preparedChange } from '../prepared.ts'
import { endFamily } from './token-rows.ts'

const aFew = 20

/** A code is kept beyond its life, so that a second use is recognised and takes back what the first one gave. */
const codesAreRemembered = 90 * 86_400

/** Takes away a few rows that nothing can use any more, also where new ones are written; answers how many. */
export async function sweepExpired(rows: Writing, now: number, most = aFew): Promise<number> {
  let gone = 0
  for (const { table, sweep } of sweeps) {
    const before = table === 'authorization_code' ? now - codesAreRemembered : now
    gone += await sweep(rows, { before, most })
  }
  const over = await familiesOver(rows, { before: now, most })
  for (const family of over) await endFamily(rows, family.id)
  return gone + over.length
}

interface Over {
  readonly before: number
  readonly most: number
}

const sweeps = (['session', 'access_token', 'authorization_request', 'authorization_code'] as const).map((table) => ({
  table,
  sweep: preparedChange((rows, { before, most }: Over) =>
    rows
      .deleteFrom(table)
      .where('hash', 'in', (any) => any.selectFrom(table).select('hash').where('expires', '<=', before).limit(most)),
  ),
}))

const familiesOver = prepared((rows, { before, most }: Over) =>
  rows.selectFrom('token_family').select('id').where('ends', '<=', before).limit(most),
)
