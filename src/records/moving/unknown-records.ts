import type { Farm } from '../../farm/farm.ts'
import { fieldsOf } from '../../farm/fields-of.ts'
import type { Snapshot } from '../../storage/database.ts'
import { presentBundles } from '../../storage/records/all-records.ts'
import { pathNumber, spelled, usedPaths } from '../../storage/records/path.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { pathsOf } from '../record-index.ts'

/** Types and fields of records that the catalogue does not know, such as those of a module that was not given. */
export async function unknownInFarm(snapshot: Snapshot, farm: Farm): Promise<readonly string[]> {
  const bundles = [...(await presentBundles(snapshot))].flatMap((present) => {
    const [type = '', bundle = ''] = present.split(' ')
    return Object.hasOwn(farm.records[type as 'log' | 'asset' | 'term'].bundles, bundle) ? [] : [`${type} ${bundle}`]
  })
  const known = new Set(pathsOf(farm).map(pathNumber))
  const fields = (await usedPaths(snapshot)).filter(({ id }) => !known.has(id)).map(spelled)
  return [...bundles.toSorted(), ...fields.toSorted()]
}

/** What the catalogue does not know of a record: its type, or fields of it, as an uninstalled module leaves them; else null. */
export function unknownIn(farm: Farm, { type: typeName, bundle: bundleName, values }: StoredRecord): string | null {
  const type = farm.records[typeName]
  const bundle = Object.hasOwn(type.bundles, bundleName) ? type.bundles[bundleName] : undefined
  if (bundle === undefined) return bundleName
  const fields = fieldsOf(type, bundle)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(fields, name))
  return unknown === undefined ? null : `${bundleName}.${unknown}`
}
