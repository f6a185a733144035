import type { Farm } from '../../farm/farm.ts'
import type { ResourceType } from '../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../farm/newer/resource-types.ts'
import type { Snapshot } from '../../storage/database.ts'
import { presentBundles } from '../../storage/records/all-records.ts'

/** The types of records that a client is shown: vocabularies that a plain farm does not need, from their first term on. */
export async function linkedTypes(farm: Farm, snapshot: Snapshot): Promise<readonly ResourceType[]> {
  const present = await presentBundles(snapshot)
  return [...resourceTypes(farm).values()].filter(
    (type) => !isSpare(farm, type) || type.bundles.some((one) => present.has(`term ${one}`)),
  )
}

function isSpare(farm: Farm, { family, bundles }: ResourceType): boolean {
  if (family !== 'taxonomy_term') return false
  return bundles.every((name) => {
    const vocabulary = farm.records.term.bundles[name]
    return vocabulary?.only === 'newer' || vocabulary?.newer?.linked === 'from its first term'
  })
}
