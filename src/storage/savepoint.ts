import { CompiledQuery } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { Writing } from './database.ts'

const run = (rows: Writing, statement: string) => rows.executeQuery(CompiledQuery.raw(statement))

/** A part of a transaction that can be refused without the rest: then it is as if it had never been tried. */
export async function onItsOwn<T>(rows: Writing, work: () => Promise<T>): Promise<T> {
  await run(rows, 'savepoint part')
  try {
    const result = await work()
    await run(rows, 'release savepoint part')
    return result
  } catch (error) {
    // Anything but a refusal, such as a lost connection, ends the whole transaction.
    if (error instanceof Refusal) {
      await run(rows, 'rollback to savepoint part')
      await run(rows, 'release savepoint part')
    }
    throw error
  }
}
