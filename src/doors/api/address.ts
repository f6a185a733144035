import type { FastifyRequest } from 'fastify'
import type { ResourceType } from '../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../farm/newer/resource-types.ts'
import { uuidIn } from '../../fields/scalars.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import { SnapshotCache } from '../../storage/snapshot-cache.ts'
import { configTypeNames } from './config-resources.ts'
import { identifiersOf, keyOf } from './documents/identifiers.ts'
import { ResourceTexts } from './documents/resource-object.ts'
import type { SearchResult } from './filter/search.ts'

export interface ApiRecords {
  readonly installation: Records
  /** Cache of rendered resources. */
  readonly texts: ResourceTexts
  /** Cache of search results, by address. */
  readonly found: SnapshotCache<string, SearchResult>
}

/** Approximate number of cached ids. */
const mostFound = 100_000

export const apiRecords = (installation: Records): ApiRecords => ({
  installation,
  texts: new ResourceTexts(),
  found: new SnapshotCache(mostFound),
})

interface AddressParameters {
  readonly family?: string
  readonly bundle?: string
  readonly uuid?: string
  readonly name?: string
}

const addressParameters = (request: FastifyRequest): AddressParameters => request.params as AddressParameters

export function typeAt({ installation }: Pick<ApiRecords, 'installation'>, request: FastifyRequest): ResourceType {
  const { family, bundle } = addressParameters(request)
  const type = resourceTypes(installation.farm).get(`${family}--${bundle}`)
  if (type === undefined) throw new Refusal('not-found', `There are no resources of the type ${family}--${bundle}.`)
  return type
}

export function relationshipAt(type: ResourceType, request: FastifyRequest) {
  const member = type.members.get(addressParameters(request).name ?? '')
  if (member !== undefined && (member.field.kind === 'reference' || member.field.kind === 'attachment')) return member
  throw new Refusal('not-found', `${type.name} has no relationship ${addressParameters(request).name}.`)
}

export const uuidAt = (request: FastifyRequest): string => uuidIn(addressParameters(request).uuid) ?? ''

/** The id of the record that an address names; its type must be that of the address. */
export async function numberAt(
  { installation }: Pick<ApiRecords, 'installation'>,
  request: FastifyRequest,
  snapshot: Snapshot,
): Promise<number> {
  const type = typeAt({ installation }, request)
  const uuid = uuidAt(request)
  const identity = uuid === '' ? undefined : (await identitiesOf(snapshot, [uuid])).get(uuid)
  if (identity === undefined || !(await isOfType(installation, snapshot, { identity, type })))
    throw noSuch(type, request)
  return identity.number
}

export const noSuch = (type: ResourceType, request: FastifyRequest): Refusal =>
  new Refusal('not-found', `There is no ${type.name} ${addressParameters(request).uuid}.`)

interface TypedIdentity {
  readonly identity: Identity
  readonly type: ResourceType
}

async function isOfType({ farm }: Records, snapshot: Snapshot, { identity, type }: TypedIdentity): Promise<boolean> {
  const { type: record, number, removed } = identity
  if (record !== type.record || removed !== null) return false
  const called = await identifiersOf(snapshot, farm, [{ of: record, id: number }])
  return called.get(keyOf({ of: record, id: number }))?.type === type.name
}

const onlyRead: ReadonlySet<string> = new Set(['user--user', 'file--file', ...configTypeNames])

/** Types whose resources can be changed one by one. */
const changeableTypes: readonly string[] = ['user--user', 'file--file']

/** Refuses a write to a read-only resource, and names the methods that work there. */
export function refuseOnlyRead(request: FastifyRequest): void {
  const { family, bundle, uuid } = request.params as Readonly<Record<string, string | undefined>>
  const type = `${family}--${bundle}`
  if (!onlyRead.has(type)) return
  throw cannotWrite(request, uuid !== undefined && changeableTypes.includes(type) ? ['PATCH'] : [])
}

export function refuseToWrite(request: FastifyRequest): never {
  throw cannotWrite(request, [])
}

function cannotWrite({ method }: FastifyRequest, but: readonly string[]): Refusal {
  const allow = ['GET', 'HEAD', ...but, 'OPTIONS']
  return new Refusal('method-not-allowed', `${method} does not work here; ${allow.join(', ')} do.`, { allow })
}
