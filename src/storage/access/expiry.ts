import type { Transaction } from '../database.ts'
import { prepared, preparedChange } from '../sql/prepared.ts'
import { endFamily } from './token-rows.ts'

const aFew = 20

/** A code is kept beyond its life, so that a second use is recognised and takes back what the first one gave. */
const codesAreRemembered = 90 * 86_400

/** Takes away a few rows that nothing can use any more, also where new ones are written; answers how many. */
export async function sweepExpired(tx: Transaction, now: number, most = aFew): Promise<number> {
  let gone = 0
  for (const { table, sweep } of sweeps) {
    const before = table === 'authorization_code' ? now - codesAreRemembered : now
    gone += await sweep(tx, { before, most })
  }
  const over = await familiesOver(tx, { before: now, most })
  for (const family of over) await endFamily(tx, family.id)
  return gone + over.length
}

interface ExpiryLimit {
  readonly before: number
  readonly most: number
}

const tables = [
  'session',
  'access_token',
  'authorization_request',
  'authorization_code',
  'invitation',
  'report_link',
] as const

const sweeps = tables.map((table) => ({
  table,
  sweep: preparedChange((tx, { before, most }: ExpiryLimit) =>
    tx
      .deleteFrom(table)
      .where('hash', 'in', (any) => any.selectFrom(table).select('hash').where('expires', '<=', before).limit(most)),
  ),
}))

const familiesOver = prepared((snapshot, { before, most }: ExpiryLimit) =>
  snapshot.selectFrom('token_family').select('id').where('ends', '<=', before).limit(most),
)
