import type { Farm, RecordType, RecordTypeName } from '../../../farm/farm.ts'
import { olderFarm } from '../../../farm/older-farm.ts'
import { allOlderFields } from '../../../farm/older-fields.ts'
import { isFilterable } from '../../../records/finding/filter.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { presentBundles } from '../../../storage/records/all-records.ts'
import type { QueryEntry } from '../../http/query.ts'
import { filteredIn, namedIn } from './filters.ts'
import { filtersOf, sortingOf } from './list-options.ts'
import { canSortBy } from './sorting.ts'

interface Asked {
  readonly type: RecordTypeName
  readonly entries: readonly QueryEntry[]
}

/**
 * The type as a query for a list is read. What only the newer generation has can be asked for from its first record on, and whether there
 * is one matters only to who names a field that nothing else has.
 */
export async function typeAsked(snapshot: Snapshot, farm: Farm, { type, entries }: Asked): Promise<RecordType> {
  const always = olderFarm(farm).records[type]
  const fields = allOlderFields(always)
  const filtered = filtersOf(entries).map(({ name }) => fields.get(filteredIn(always, name)))
  const sorted = sortsOf(entries).map((name) => fields.get(namedIn(always, name)))
  const isUsual =
    filtered.every((one) => one !== undefined && isFilterable(one.field)) &&
    sorted.every((one) => one !== undefined && canSortBy(always, one))
  if (isUsual) return farm.records[type]
  return olderFarm(farm, await presentBundles(snapshot)).records[type]
}

function sortsOf(entries: readonly QueryEntry[]): readonly string[] {
  const { sort } = sortingOf(entries)
  return sort === undefined ? [] : [sort]
}
