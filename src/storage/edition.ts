import { randomBytes } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { Snapshot, Transaction } from './database.ts'
import { word } from './sql/fragment.ts'
import { insertAll } from './sql/insertion.ts'
import { preparedFirst } from './sql/prepared.ts'

/** A random value; letters, digits, - and _. */
export const newEdition = (): string => randomBytes(9).toString('base64url')

/** For statements that ask for more than the edition. */
export const editionInSql = word('(select min(value) from edition)')

/**
 * Which farm this is. Each that was created, restored or imported has an edition of its own, and no backup carries it: what
 * is known of one edition, such as revisions and positions in the journal, says nothing of another.
 */
export async function readEdition(snapshot: Snapshot): Promise<string> {
  return (await theEdition(snapshot))?.value ?? noEdition
}

// Not the first in order: a limit is a value, for which SQLite makes a new plan each time.
const theEdition = preparedFirst((snapshot) =>
  snapshot.selectFrom('edition').select(({ fn }) => fn.min('value').as('value')),
)

/** Found where the row is lost, or by a snapshot from before a farm that has come meanwhile. */
export const noEdition = ''

/** The edition of the farm, which is given one if it has lost it. */
export async function ensureEdition(tx: Transaction): Promise<string> {
  const found = await readEdition(tx)
  if (found !== noEdition) return found
  await insertAll(tx, 'edition', [{ value: newEdition() }])
  return readEdition(tx)
}

/** The farm is another than the one that is remembered: what was thrown it has to be forgotten, and the work be done again. */
export class AnotherEdition extends Refusal {
  constructor() {
    super('busy', 'Another farm has just taken the place of this one. Try again.', { retryAfterSeconds: 1 })
  }
}

/** Called wherever something that is remembered is about to be used. */
export function requireEdition(remembered: { readonly edition: string }, found: string): void {
  if (found !== remembered.edition) throw new AnotherEdition()
}
