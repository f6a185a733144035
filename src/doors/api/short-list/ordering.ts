import type { SortKey } from '../query/sort.ts'
import type { Drawn } from '../wire/thing.ts'
import { byKey, keyOfSpelled } from './comparable.ts'
import { type Searchable, searched } from './searchable.ts'

/** The resources in the order that is asked for; what is equal in it, and what nothing is asked of, stays as it is. */
export function ordered(drawn: readonly Drawn[], keys: readonly SortKey[], searchable: Searchable): readonly Drawn[] {
  const orders = keys.map(({ path, direction, parameter }) => {
    const { field, spelledOf } = searched(searchable, path, parameter)
    const keyOf = (one: Drawn) => keyOfSpelled(field, spelledOf(one) ?? '') ?? ''
    return (one: Drawn, other: Drawn) => byKey(keyOf(one), keyOf(other)) * (direction === 'asc' ? 1 : -1)
  })
  return drawn.toSorted((one, other) => {
    for (const order of orders) {
      const difference = order(one, other)
      if (difference !== 0) return difference
    }
    return 0
  })
}
