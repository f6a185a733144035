import { trimmedTextKey } from '../../fields/key.ts'
import { holdAlone } from '../advisory-locks.ts'
import type { Reading, Writing } from '../database.ts'
import { prepared } from '../prepared.ts'
import { inSlices } from '../slices.ts'

/** The oldest term of the vocabulary under each of these keys, whatever the case of its name and the white space around it. */
export async function termsByKeys(
  rows: Reading,
  vocabulary: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await inSlices(keys, (slice) => oldestByKeys(rows, { vocabulary, keys: slice }))
  return new Map(found.map((row) => [row.name_key, row.id]))
}

// A type and not an interface: only those are taken for records of parameters.
type KeysIn = { readonly vocabulary: string; readonly keys: readonly string[] }

const oldestByKeys = prepared((rows, { vocabulary, keys }: KeysIn) =>
  rows
    .selectFrom('term')
    .select((term) => ['name_key', term.fn.min('id').as('id')])
    .where('bundle', '=', vocabulary)
    .where('name_key', 'in', keys)
    .groupBy('name_key'),
)

/** Of more terms with the same name no filter can be made. */
export const mostNamesakes = 10_000

/** All terms with this name in any of the vocabularies, for filters; one more than can be used, if there are more. */
export async function termsByName(rows: Reading, vocabularies: readonly string[], name: string): Promise<number[]> {
  const found = await rows
    .selectFrom('term')
    .select('id')
    .where('bundle', 'in', vocabularies)
    .where('name_key', '=', trimmedTextKey(name))
    .limit(mostNamesakes + 1)
    .execute()
  return found.map((row) => row.id)
}

/** Waits until nobody else is creating a term under one of these keys. */
export async function claimTerms(rows: Writing, vocabulary: string, keys: readonly string[]): Promise<void> {
  // Two that create the same names in different orders would wait for each other.
  await holdAlone(rows, 'new terms')
  await inSlices(keys, (slice) =>
    rows
      .insertInto('term_claim')
      .values(slice.map((name_key) => ({ vocabulary, name_key })))
      // An update, not nothing: only an update locks a row that is already there.
      .onConflict((conflict) => conflict.columns(['vocabulary', 'name_key']).doUpdateSet({ vocabulary }))
      .execute(),
  )
}

/** Gives every vocabulary of the catalogue its number; one that is known already keeps it. */
export async function numberVocabularies(
  rows: Writing,
  machineNames: readonly string[],
): Promise<{ readonly fresh: readonly string[]; readonly numbered: ReadonlyMap<string, number> }> {
  const known = await vocabularyNumbers(rows)
  const fresh: string[] = []
  for (const machine_name of machineNames.filter((name) => !known.has(name))) {
    const inserted = await rows
      .insertInto('vocabulary')
      .values({ machine_name })
      // Another node may be starting at the same moment.
      .onConflict((conflict) => conflict.column('machine_name').doNothing())
      .returning('machine_name')
      .executeTakeFirst()
    if (inserted !== undefined) fresh.push(machine_name)
  }
  return { fresh, numbered: await vocabularyNumbers(rows) }
}

async function vocabularyNumbers(rows: Reading): Promise<ReadonlyMap<string, number>> {
  const numbered = await rows.selectFrom('vocabulary').selectAll().orderBy('vid').execute()
  return new Map(numbered.map((row) => [row.machine_name, row.vid]))
}
