import type { RecordTypeName } from '../../../farm/farm.ts'
import { olderFarm } from '../../../farm/older-farm.ts'
import { shown } from '../../../fields/place.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { presentBundles } from '../../../storage/records/all-records.ts'
import type { QueryEntry } from '../../http/query.ts'
import { columnsNamed, repeatedIn, requireRepeated } from './chosen-columns.ts'
import { columnsOf, type ShownFields } from './columns.ts'
import { headOf } from './sheet.ts'
import { shownOlder } from './sheet-of-records.ts'
import { refuseFilters, sheetAskedIn } from './sheet-query.ts'

interface Asking {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly entries: readonly QueryEntry[]
}

/** An empty sheet to be filled in with records of one type: its head, and nothing else. */
export function templateOf(installation: Records, { type, bundle, entries }: Asking) {
  const { fields, rows: asked, ...layout } = sheetAskedIn(entries)
  refuseFilters(entries)
  return async (snapshot: Snapshot): Promise<string> => {
    const older = olderFarm(installation.farm, await presentBundles(snapshot)).records[type]
    if (!Object.hasOwn(older.bundles, bundle)) {
      const known = Object.keys(older.bundles).join(', ')
      throw new Refusal('not-found', `There is no ${older.bundleName} ${shown(bundle)}: it is one of ${known}.`)
    }
    const fieldsShown = shownOlder(older)(bundle)
    const described = { type: older, edition: '', shown: [fieldsShown], rows: asked ?? mainPart(fieldsShown) }
    requireRepeated(described)
    const all = columnsOf(described).filter(({ isFilledIn }) => isFilledIn)
    const columns = fields === undefined ? all : [...new Set(fields.flatMap((name) => columnsNamed(all, name)))]
    return headOf({ ...layout, columns })
  }
}

/** Of the parts that a record can have several of, the one that says most: few people fill in JSON. */
function mainPart(fields: ShownFields): string | undefined {
  const sizeOf = (name: string) => {
    const field = fields.get(name)?.field
    return field?.kind === 'part' ? Object.keys(field.fields).length : 0
  }
  return repeatedIn(fields).toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]
}
