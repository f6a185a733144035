import { Refusal } from '../../refusal.ts'
import type { Snapshot, Transaction } from '../database.ts'
import { statementOf } from './prepared.ts'

/**
 * A piece of SQL with its values. For the queries whose shape the caller decides, and for those that are written by hand:
 * putting text together takes a few microseconds, building the same query as a tree more than it takes to run.
 */
export interface Fragment {
  /** With a question mark for each value. */
  readonly text: string
  readonly values: readonly (string | number)[]
}

/** SQL as written; what is put in is a fragment of its own or a value, never text. */
export function fragment(strings: TemplateStringsArray, ...inserts: readonly (Fragment | string | number)[]): Fragment {
  let text = strings[0] ?? ''
  const values: (string | number)[] = []
  for (const [index, insert] of inserts.entries()) {
    if (typeof insert === 'object') {
      text += insert.text
      values.push(...insert.values)
    } else {
      text += '?'
      values.push(insert)
    }
    text += strings[index + 1]
  }
  return { text, values }
}

/** SQL that is the same for every caller: the name of a column or table, a word. */
export const word = (text: string): Fragment => ({ text, values: [] })

/**
 * Comes before the conditions of a scan, which are not looked at further where one does not hold, with a column that holds whole numbers, and one whose texts may be long. SQLite looks there now
 * and then whether the scan may go on (see sqlite/functions.ts); PostgreSQL sees a comment.
 */
export const paced = (...columns: readonly [number: string, text?: string]): Fragment =>
  word(`/*pace ${columns.join(' ')}*/ `)

/** The name of a table, column, function or schema of ours that may need quotes. */
export const named = (name: string): Fragment => word(`"${name.replaceAll('.', '"."')}"`)

/** Values one after the other, for `in (…)` and `values (…)`. */
export const listed = (values: readonly (string | number)[]): Fragment => ({
  text: values.map(() => '?').join(', '),
  values,
})

export const joined = (fragments: readonly Fragment[], between: string): Fragment => ({
  text: fragments.map(({ text }) => text).join(between),
  values: fragments.flatMap(({ values }) => values),
})

export async function ask<R>(snapshot: Snapshot, { text, values }: Fragment): Promise<readonly R[]> {
  const statement = snapshot.engine === 'postgres' && values.length > 0 ? numbered(text) : text
  return (await snapshot.executeQuery<R>(statementOf(statement, values))).rows
}

/** PostgreSQL numbers its placeholders. No literal in our SQL has a question mark. */
function numbered(text: string): string {
  let number = 0
  return text.replace(/\?/g, () => `$${++number}`)
}

/** Neither engine takes a statement of any length: a few hundred at a time. */
export function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += 500) yield items.slice(start, start + 500)
}

export async function inSlices<T, R>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = []
  for (const slice of slicesOf(items)) results.push(...(await work(slice)))
  return results
}

/** A value that must exist by now; otherwise it is a bug, and nothing may be stored. */
export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Something that was just looked up or stored is not there')
  return value
}

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

export async function countOf(snapshot: Snapshot, table: string): Promise<number> {
  const [row] = await ask<{ count: number }>(snapshot, fragment`select count(*) as count from ${named(table)}`)
  return row?.count ?? 0
}
