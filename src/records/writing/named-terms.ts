import { unprintable } from '../../fields/characters.ts'
import type { Transaction } from '../../storage/database.ts'
import { must } from '../../storage/must.ts'
import { bundlesOfLocked } from '../../storage/records/record-rows.ts'
import { claimTerms, termsByKeys } from '../../storage/records/term-rows.ts'
import { newTerm } from './new-term.ts'
import { storeNew } from './storing.ts'
import type { Work } from './work.ts'

/** Each name as it was given, by the key that all its spellings share. */
type Names = ReadonlyMap<string, string>

/** The ids of the terms that these names stand for, by their keys; those that there are none of yet are created, unless no term may be called so. */
export async function termsNamed(work: Work, vocabulary: string, names: Names): Promise<ReadonlyMap<string, number>> {
  const { tx, installation, caller, set } = work
  const there = await lockedTerms(tx, vocabulary, [...names.keys()])
  const unknown = [...names].filter(([key]) => !there.has(key))
  if (unknown.length === 0) return there
  const keys = unknown.map(([key]) => key)
  await claimTerms(tx, vocabulary, keys)
  const meanwhile = await lockedTerms(tx, vocabulary, keys)
  const now = installation.clock()
  const missing = unknown.filter(([key, name]) => !meanwhile.has(key) && !unprintable.test(name))
  const records = missing.map(([, name]) => newTerm({ bundle: vocabulary, name, uid: caller.uid, now }))
  const created = await storeNew(tx, installation.farm, { type: 'term', records, set })
  for (const { uuid } of created) set.termsByName.add(uuid)
  return new Map([...there, ...meanwhile, ...missing.map(([key], index) => [key, must(created[index]).id] as const)])
}

/** Found and locked: between the two somebody else may have removed one. */
async function lockedTerms(
  tx: Transaction,
  vocabulary: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  for (;;) {
    const found = await termsByKeys(tx, vocabulary, keys)
    const there = await bundlesOfLocked(tx, 'term', [...found.values()])
    if (there.size === found.size) return found
  }
}
