import type { Transaction } from '../database.ts'
import { ask, fragment, word } from './fragment.ts'

/** The next number of a quantity, as PostgreSQL is asked for it. */
export const nextQuantity = `nextval(pg_get_serial_sequence('quantity', 'id'))`

/** Numbers for quantities that are about to be kept; nobody else is given them. */
export async function drawQuantityNumbers(tx: Transaction, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  if (tx.engine === 'sqlite') return numbersUpTo(await lastRaisedBy(tx, count), count)
  const drawn = await ask<{ number: number }>(
    tx,
    fragment`select ${word(nextQuantity)} as number from generate_series(1, ${count}::int)`,
  )
  return drawn.map(({ number }) => number)
}

async function lastRaisedBy(tx: Transaction, count: number): Promise<number> {
  const [raised] = await ask<{ seq: number }>(
    tx,
    fragment`update sqlite_sequence set seq = seq + ${count} where name = 'quantity' returning seq`,
  )
  if (raised !== undefined) return raised.seq
  await ask(tx, fragment`insert into sqlite_sequence (name, seq) values ('quantity', ${count})`)
  return count
}

const numbersUpTo = (last: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => last - count + 1 + index)
