import { Refusal } from '../../refusal.ts'
import type { Transaction } from '../database.ts'
import { ask, fragment } from './fragment.ts'

/** A part of a transaction that can be refused without the rest: then it is as if it had never been tried. */
export async function onItsOwn<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await ask(tx, fragment`savepoint part`)
  try {
    const result = await work()
    await ask(tx, fragment`release savepoint part`)
    return result
  } catch (error) {
    // Anything but a refusal, such as a lost connection, ends the whole transaction.
    if (error instanceof Refusal) {
      await ask(tx, fragment`rollback to savepoint part`)
      await ask(tx, fragment`release savepoint part`)
    }
    throw error
  }
}
