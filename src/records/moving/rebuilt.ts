import type { Farm } from '../../farm/farm.ts'
import { implicationsOf } from '../../history/implications.ts'
import { rowOfChange } from '../../storage/history/inventory-rows.ts'
import { forever, rowsOfStay } from '../../storage/history/stay-rows.ts'
import type { RebuiltRows } from '../../storage/rebuilding.ts'
import { facetRows, referenceRows } from '../../storage/records/index-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { indexOf } from '../record-index.ts'

/** What follows from a record by the same rules by which it was kept, as rows. */
export function rebuiltFrom(farm: Farm, record: StoredRecord): RebuiltRows {
  const index = indexOf(farm, record)
  const { stays, inventoryChanges } = implicationsOf(record)
  return {
    reference: referenceRows(record.id, index),
    facet: facetRows(record.id, index),
    stay: stays.flatMap((stay) => rowsOfStay(stay).map((row) => ({ ...row, until: forever }))),
    inventory_change: inventoryChanges.map(rowOfChange),
  }
}
