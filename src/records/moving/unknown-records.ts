import type { Farm } from '../../farm/farm.ts'
import { fieldsOf } from '../../farm/fields-of.ts'
import type { Stored } from '../../storage/records/stored.ts'

/** What the catalogue does not know of a record: its type, or fields of it, as an uninstalled module leaves them; else null. */
export function unknownIn(farm: Farm, { type: typeName, bundle: bundleName, values }: Stored): string | null {
  const type = farm.records[typeName]
  const bundle = Object.hasOwn(type.bundles, bundleName) ? type.bundles[bundleName] : undefined
  if (bundle === undefined) return bundleName
  const fields = fieldsOf(type, bundle)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(fields, name))
  return unknown === undefined ? null : `${bundleName}.${unknown}`
}
