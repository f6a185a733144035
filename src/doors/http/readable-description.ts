import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { olderFarm, type PresentBundles } from '../../farm/fields-of.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/farm-state.ts'
import { presentBundles } from '../../storage/records/record-lookup.ts'
import { authorizationOf, callerOf, sessionCookieOf } from './caller.ts'
import type { Schema } from './openapi.ts'
import { baseAddressOf } from './origin.ts'

/** The description of the interface as JSON, for whoever is asking. */
export type ReadableDescription = (request: FastifyRequest) => Promise<string>

interface DescriptionWriter {
  /** Of this farm with its modules. */
  readonly own: (base: string, present: PresentBundles) => Schema
  /** Of any farm as it comes: it says nothing of this one. */
  readonly stock: (base: string) => Schema
}

/** Put together when it is first asked for. Those who may not read records, and those who say nothing of themselves, get that of any farm. */
export function readableDescription(
  installation: Installation & Records,
  { own, stock }: DescriptionWriter,
): ReadableDescription {
  let known = { base: '', edition: '', types: installation.farm, text: '' }
  let general = { base: '', text: '' }
  return async (request) => {
    const base = baseAddressOf(request, installation)
    if (!(await mayReadRecords(request, installation))) {
      if (general.base !== base) general = { base, text: JSON.stringify(stock(base)) }
      return general.text
    }
    const present = await installation.database.read(async (snapshot) => {
      requireEdition(installation, await readEdition(snapshot))
      return presentBundles(snapshot)
    })
    const types = olderFarm(installation.farm, present)
    const { edition } = installation
    if (known.base !== base || known.edition !== edition || known.types !== types)
      known = { base, edition, types, text: JSON.stringify(own(base, present)) }
    return known.text
  }
}

/** A bad credential is refused, as everywhere. */
async function mayReadRecords(request: FastifyRequest, installation: Installation): Promise<boolean> {
  if (authorizationOf(request) === undefined && sessionCookieOf(request, installation) === undefined) return false
  return (await callerOf(request, installation)).rights.has('read-records')
}
