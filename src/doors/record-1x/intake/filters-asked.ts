import type { RecordType } from '../../../farm/farm.ts'
import type { Filter } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { QueryEntry } from '../../http/query.ts'
import { figureAsked } from '../reports/figure.ts'
import { filtersIn } from './filters.ts'
import { filtersOf } from './list-options.ts'

interface Asked {
  readonly known: RecordType
  readonly entries: readonly QueryEntry[]
}

/** What a list is narrowed to: by its fields, and to what makes up a figure of a report. */
export async function filtersAsked(
  snapshot: Snapshot,
  installation: Records,
  { known, entries }: Asked,
): Promise<readonly Filter[]> {
  const filters = filtersIn(installation, known, filtersOf(entries))
  return [...filters, ...(await figureAsked(snapshot, installation, { type: known.name, entries, filters }))]
}
