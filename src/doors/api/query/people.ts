import type { Farm } from '../../../farm/farm.ts'
import { once } from '../../../farm/fields-of.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { readQuery } from '../../http/query.ts'

/** The relationships of any type that lead to users. */
const namesOfPeople = once((farm: Farm): readonly string[] => [
  ...new Set(
    [...resourceTypes(farm).values()].flatMap(({ members }) =>
      [...members.values()].flatMap(({ name, targets = [] }) => (targets.includes('user--user') ? [name] : [])),
    ),
  ),
])

/** Whether what a list finds may follow from users, who change without any change of a record. */
export const asksAboutPeople = (farm: Farm, url: string): boolean =>
  readQuery(url)
    .filter(({ name }) => name === 'filter' || name === 'sort')
    .some(({ brackets, value }) =>
      namesOfPeople(farm).some((name) => [...brackets, value].some((text) => text.includes(name))),
    )
