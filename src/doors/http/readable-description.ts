import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { olderFarm, type PresentBundles } from '../../farm/fields-of.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/farm-state.ts'
import { presentBundles } from '../../storage/records/record-lookup.ts'
import { callerOf } from './caller.ts'
import type { Schema } from './openapi.ts'
import { baseAddressOf } from './origin.ts'

/** The description of the interface as JSON, for whoever is asking; refused where they may not read records. */
export type ReadableDescription = (request: FastifyRequest) => Promise<string>

/** Put together when it is first asked for; the scope `farm_info` is for the info record alone. */
export function readableDescription(
  installation: Installation & Records,
  describe: (base: string, present: PresentBundles) => Schema,
): ReadableDescription {
  let known = { base: '', edition: '', types: installation.farm, text: '' }
  return async (request) => {
    requireRight(await callerOf(request, installation), 'read-records')
    const present = await installation.database.read(async (snapshot) => {
      requireEdition(installation, await readEdition(snapshot))
      return presentBundles(snapshot)
    })
    const types = olderFarm(installation.farm, present)
    const base = baseAddressOf(request, installation)
    const { edition } = installation
    if (known.base !== base || known.edition !== edition || known.types !== types)
      known = { base, edition, types, text: JSON.stringify(describe(base, present)) }
    return known.text
  }
}
