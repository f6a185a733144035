import type { RecordType } from '../../../farm/farm.ts'
import { allOlderFields, type OlderField, partlyHidden } from '../../../farm/older-fields.ts'
import { columnOf } from '../../../records/finding/conditions.ts'
import { badQuery, isSortable } from '../../../records/finding/filter.ts'

import type { SortKey } from '../../../records/finding/find.ts'
import { namedIn } from './filters.ts'

/** What a query wants a list to be sorted by. */
export interface AskedOrder {
  readonly sort: string | undefined
  readonly direction: 'asc' | 'desc'
}

export function sortingIn(type: RecordType, { sort, direction }: AskedOrder): SortKey {
  if (sort === undefined) return { path: undefined, direction }
  const known = allOlderFields(type)
  const field = known.get(namedIn(type, sort))
  if (field !== undefined && canSortBy(type, field)) {
    const { own, choice } = field
    const hidden = partlyHidden(type).has(own) ? { partlyHidden: true as const } : {}
    return { path: own, direction, ...(choice === undefined ? {} : { yes: choice.asYesNo.yes }), ...hidden }
  }
  const names = [...known].flatMap(([name, one]) => (canSortBy(type, one) ? [name] : []))
  throw badQuery('sort', `cannot sort by ${JSON.stringify(sort)}`, names)
}

export const canSortBy = ({ name }: RecordType, { own, field }: OlderField): boolean =>
  columnOf(name, own) !== undefined || isSortable(field)
