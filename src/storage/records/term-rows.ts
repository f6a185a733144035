import { trimmedTextKey } from '../../fields/key.ts'
import type { Snapshot, Transaction } from '../database.ts'
import { holdAlone } from '../sql/advisory-locks.ts'
import { ask, fragment, inSlices, joined } from '../sql/fragment.ts'
import { prepared, preparedFirst } from '../sql/prepared.ts'

/** The oldest term of the vocabulary under each of these keys, whatever the case of its name and the white space around it. */
export async function termsByKeys(
  snapshot: Snapshot,
  vocabulary: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await inSlices(keys, (slice) => oldestByKeys(snapshot, { vocabulary, keys: slice }))
  return new Map(found.map((row) => [row.name_key, row.id]))
}

type KeysIn = { readonly vocabulary: string; readonly keys: readonly string[] }

const oldestByKeys = prepared((snapshot, { vocabulary, keys }: KeysIn) =>
  snapshot
    .selectFrom('term')
    .select((term) => ['name_key', term.fn.min('id').as('id')])
    .where('bundle', '=', vocabulary)
    .where('name_key', 'in', keys)
    .groupBy('name_key'),
)

/** All terms of the vocabulary under each of these keys, oldest first. */
export async function allByKeys(
  snapshot: Snapshot,
  vocabulary: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = await inSlices(keys, (slice) => everyByKeys(snapshot, { vocabulary, keys: slice }))
  const byKey = new Map<string, number[]>()
  for (const { name_key, id } of found) byKey.set(name_key, [...(byKey.get(name_key) ?? []), id])
  return byKey
}

const everyByKeys = prepared((snapshot, { vocabulary, keys }: KeysIn) =>
  snapshot
    .selectFrom('term')
    .select(['name_key', 'id'])
    .where('bundle', '=', vocabulary)
    .where('name_key', 'in', keys)
    .orderBy('id'),
)

/** A filter by name accepts no more terms of the same name. */
export const mostNamesakes = 10_000

/** All terms with this name in any of the vocabularies, for filters; one more than can be used, if there are more. */
export async function termsByName(
  snapshot: Snapshot,
  vocabularies: readonly string[],
  name: string,
): Promise<number[]> {
  if (vocabularies.length === 0) return []
  return (await namesakes(snapshot, { vocabularies, key: trimmedTextKey(name) })).map((row) => row.id)
}

const namesakes = prepared(
  (snapshot, { vocabularies, key }: { readonly vocabularies: readonly string[]; readonly key: string }) =>
    snapshot
      .selectFrom('term')
      .select('id')
      .where('bundle', 'in', vocabularies)
      .where('name_key', '=', key)
      .limit(mostNamesakes + 1),
)

/** The terms of a vocabulary that have a name, oldest first. */
export async function namesakesIn(snapshot: Snapshot, { bundle, key }: NameIn): Promise<readonly number[]> {
  return (await namesakesInOne(snapshot, { bundle, key })).map(({ id }) => id)
}

type NameIn = { readonly bundle: string; readonly key: string }

const namesakesInOne = prepared((snapshot, { bundle, key }: NameIn) =>
  snapshot
    .selectFrom('term')
    .select('id')
    .where('bundle', '=', bundle)
    .where('name_key', '=', key)
    .orderBy('id')
    .limit(10),
)

/** Waits until nobody else is creating a term under one of these keys. */
export async function claimTerms(tx: Transaction, vocabulary: string, keys: readonly string[]): Promise<void> {
  // Two that create the same names in different orders would wait for each other.
  await holdAlone(tx, 'new terms')
  await inSlices(keys, (slice) => {
    const claims = slice.map((key) => fragment`(${vocabulary}, ${key})`)
    // An update, not nothing: only an update locks a row that is already there.
    return ask(
      tx,
      fragment`insert into term_claim (vocabulary, name_key) values ${joined(claims, ', ')}
        on conflict (vocabulary, name_key) do update set vocabulary = ${vocabulary}`,
    )
  })
}

/** Gives every vocabulary of the catalogue its number; one that is known already keeps it. */
export async function numberVocabularies(
  tx: Transaction,
  machineNames: readonly string[],
): Promise<{ readonly fresh: readonly string[]; readonly numbered: ReadonlyMap<string, number> }> {
  const known = await vocabularyNumbers(tx)
  const fresh: string[] = []
  for (const machine_name of machineNames.filter((name) => !known.has(name))) {
    const inserted = await insertVocabulary(tx, { machine_name })
    if (inserted !== undefined) fresh.push(machine_name)
  }
  return { fresh, numbered: await vocabularyNumbers(tx) }
}

const insertVocabulary = preparedFirst((tx: Transaction, { machine_name }: { readonly machine_name: string }) =>
  tx
    .insertInto('vocabulary')
    .values({ machine_name })
    // Another node may be starting at the same moment.
    .onConflict((conflict) => conflict.column('machine_name').doNothing())
    .returning('machine_name'),
)

async function vocabularyNumbers(snapshot: Snapshot): Promise<ReadonlyMap<string, number>> {
  return new Map((await allVocabularies(snapshot)).map((row) => [row.machine_name, row.vid]))
}

const allVocabularies = prepared((snapshot) => snapshot.selectFrom('vocabulary').selectAll().orderBy('vid'))
