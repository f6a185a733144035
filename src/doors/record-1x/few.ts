import { textKey } from '../../fields/key.ts'
import { badQuery, type QueryEntry } from '../../records/asked.ts'
import type { Document } from './document.ts'
import { filtersOf } from './wishes.ts'

const idWords: readonly string[] = ['id', 'vid', 'uid', 'value', 'eq']

/** Filters a list that is at hand as a whole (vocabularies, users) by equality; several values mean any of them. */
export function fewLike(
  few: readonly Document[],
  entries: readonly QueryEntry[],
  names: readonly string[],
): readonly Document[] {
  const wanted = new Map<string, string[]>()
  for (const { name, brackets, value } of filtersOf(entries)) {
    if (!names.includes(name)) throw badQuery(name, 'is not a field that can be filtered', names)
    const strange = brackets.find((bracket) => !/^\d*$/.test(bracket) && !idWords.includes(bracket))
    if (strange !== undefined) throw badQuery(name, `[${strange}] is not an operator here`, ['eq'])
    wanted.set(name, [...(wanted.get(name) ?? []), textKey(value)])
  }
  return few.filter((one) => [...wanted].every(([name, values]) => values.includes(textKey(String(one[name] ?? '')))))
}
