import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountsByIds, listAccounts } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { Farm } from '../../farm/farm.ts'
import { isRelationship, type ResourceType } from '../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../farm/newer/resource-types.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { presentBundles } from '../../storage/records/record-lookup.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { newerInterfaceVersion, version } from '../../version.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRun } from '../http/dry-run.ts'
import type { Schema } from '../http/openapi.ts'
import { baseAddressOf, type ScriptAccess } from '../http/origin.ts'
import { deliver, type ReadyAnswer, withEtag } from '../http/record-answers.ts'
import { type LastingAnswer, ResponseCache } from '../http/response-cache.ts'
import { type ApiRecords, apiRecords, refuseOnlyRead, refuseToWrite } from './address.ts'
import {
  type ConfigCatalogue,
  type ConfigType,
  configResource,
  configResources,
  configTypeNames,
  configTypes,
} from './config-resources.ts'
import { taggedDocument } from './documents/document.ts'
import type { ApiResource } from './documents/identifiers.ts'
import { addressOf } from './documents/resource-object.ts'
import {
  changeFile,
  linkToSender,
  listOfFiles,
  oneFile,
  refuseFileRemoval,
  senderOfFile,
} from './files/file-requests.ts'
import { uploadRoutes } from './files/uploads.ts'
import { inMemoryListRoutes } from './in-memory-list.ts'
import { readParameters } from './query-parameters.ts'
import { listResources, readRelated, readRelationship, readResource } from './reading.ts'
import { type DescribedMember, type DescribedType, describedType, typesBeside } from './schemas/described-type.ts'
import { collectionSchema, entrySchema, individualSchema, relatedSchema } from './schemas/document-schemas.ts'
import { resourceSchema } from './schemas/resource-schema.ts'
import { subrequestRoutes } from './subrequests/subrequests.ts'
import { changeUser, userAttributes, userResource } from './users.ts'
import {
  addToRelationship,
  createResource,
  deleteResource,
  removeFromRelationship,
  replaceRelationship,
  updateResource,
} from './writing.ts'

/** A CORS preflight gets 200, as clients of this interface expect. */
export const apiScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/(?:api|subrequests)(?:\/|$)/, openTo: 'every registered origin', preflight: 200 },
]

export function apiDoor(app: FastifyInstance, installation: Records): void {
  entryRoutes(app, installation)
  userRoutes(app, installation)
  configRoutes(app, installation)
  schemaRoutes(app, installation)
  fileRoutes(app, installation)
  uploadRoutes(app, installation)
  subrequestRoutes(app, installation)
  resourceRoutes(app, installation)
}

type FileRoute = (installation: Records, request: FastifyRequest) => Promise<ReadyAnswer>

/** Files as resources. They come with records, or by an upload for one. */
function fileRoutes(app: FastifyInstance, installation: Records): void {
  const reading = (path: string, answer: FileRoute) =>
    app.get(path, async (request, reply) => deliver(reply, await answer(installation, request)))
  const all = '/api/file/file'
  const one = `${all}/:uuid`
  reading(all, listOfFiles)
  reading(one, oneFile)
  reading(`${one}/uid`, senderOfFile)
  reading(`${one}/relationships/uid`, linkToSender)
  app.patch(one, takesDryRun, (request, reply) => changeFile(installation, request, reply))
  app.delete(one, takesDryRun, (request) => refuseFileRemoval(installation, request))
}

/** Users as resources, for authors and owners. Every account sees itself: the entry document links there. */
function userRoutes(app: FastifyInstance, installation: Records): void {
  inMemoryListRoutes(app, installation, {
    type: 'user--user',
    searchable: userAttributes,
    all: async (request) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      return (await listAccounts(installation)).map((account) => userResource(caller, account))
    },
    one: async (request, uuid) => {
      const caller = await callerOf(request, installation)
      const found = (await listAccounts(installation)).find((account) => account.uuid === uuid)
      requireRight(caller, found?.uid === caller.uid ? 'enter' : 'read-records')
      return found === undefined ? undefined : userResource(caller, found)
    },
    draw: (things) => configResources(installation.farm, things),
    change: (request, uuid) => changeUser(installation, request, uuid),
  })
}

/** Words of the catalogue as read-only resources. */
function configRoutes(app: FastifyInstance, installation: Records): void {
  const { farm, database } = installation
  for (const [type, config] of configTypes) {
    inMemoryListRoutes(app, installation, {
      type,
      searchable: config.attributes,
      all: async (request) => {
        requireRight(await callerOf(request, installation), 'read-records')
        const types = await database.read((snapshot) => linkedTypes(farm, snapshot))
        return drawnWords(type, config, { farm, types })
      },
    })
  }
}

const drawnWords = (type: string, config: ConfigType, catalogue: ConfigCatalogue): readonly ApiResource[] =>
  config
    .words(catalogue)
    .map((word) => configResource(type, config, word))
    .toSorted((one, other) => (idOfWord(one) < idOfWord(other) ? -1 : 1))

const idOfWord = ({ thing }: ApiResource): string => String(thing.id)

/** The entry document: the caller, the farm, and links to its resources. */
function entryRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/api', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    readParameters(request.url)
    const { farm, database } = installation
    const { settings, uuid, types } = await database.read(async (snapshot) => ({
      settings: await readFarmSettings(snapshot),
      uuid: (await accountsByIds(snapshot, [caller.uid])).get(caller.uid)?.uuid ?? '',
      types: (await linkedTypes(farm, snapshot)).map(({ name }) => name),
    }))
    const { name, system_of_measurement } = settings
    const base = baseAddressOf(request, installation)
    const linked = [...types, ...otherTypes].map((type) => [type, { href: addressOf(base, type) }])
    const entry = {
      data: [],
      meta: {
        links: { me: { meta: { id: uuid }, href: addressOf(base, 'user--user', uuid) } },
        farm: { name, url: base, version: newerInterfaceVersion, system_of_measurement },
        furrow: { version },
      },
      links: { self: { href: `${base}/api` }, ...Object.fromEntries(linked) },
    }
    return deliver(reply, taggedDocument(request, entry))
  })
}

const otherTypes = ['file--file', 'user--user', ...configTypeNames]

type SchemaOf = (type: DescribedType, base: string, request: FastifyRequest) => Schema

/** JSON Schemas of resources and documents, for everyone who may enter. */
function schemaRoutes(app: FastifyInstance, installation: Records): void {
  const { farm } = installation
  const serve = (path: string, schemaOf: (request: FastifyRequest, base: string) => Schema) => {
    app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url: path, handler: refuseToWrite })
    app.get(path, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'enter')
      readParameters(request.url)
      const body = Buffer.from(JSON.stringify(schemaOf(request, baseAddressOf(request, installation))))
      return deliver(reply, withEtag(request, { status: 200, headers: { 'content-type': 'application/json' }, body }))
    })
  }
  const ofType = (inside: string, schemaOf: SchemaOf) =>
    serve(`/api/:family/:bundle/${inside}`, (request, base) => {
      const { family, bundle } = request.params as SchemaAddress
      return schemaOf(typeOf(`${family}--${bundle}`), base, request)
    })
  const typeOf = (name: string): DescribedType => {
    const type = describedType(farm, name)
    if (type === undefined) throw new Refusal('not-found', `There are no resources of the type ${name}.`)
    return type
  }

  serve('/api/schema', (_, base) => entrySchema(farm, base))
  ofType('schema', individualSchema)
  // Their other addresses accept any word in this place.
  for (const type of typesBeside.values())
    serve(`/api/${type.name.replace('--', '/')}/schema`, (_, base) => individualSchema(type, base))
  ofType('collection/schema', collectionSchema)
  ofType('resource/schema', (type, base) => resourceSchema(farm, type, base))
  ofType('resource/relationships/:name/related/schema', (type, base, request) =>
    relatedSchema(type, relationshipOf(type, request), base),
  )
}

interface SchemaAddress {
  readonly family: string
  readonly bundle: string
  readonly name: string
}

function relationshipOf(type: DescribedType, request: FastifyRequest): DescribedMember {
  const { name } = request.params as SchemaAddress
  const found = type.members.find((member) => member.name === name && isRelationship(member))
  if (found === undefined) throw new Refusal('not-found', `${type.name} has no relationship ${name}.`)
  return found
}

/** The record types that the entry document links to; some vocabularies appear with their first term. */
async function linkedTypes(farm: Farm, snapshot: Snapshot): Promise<readonly ResourceType[]> {
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

type ReadRoute = (records: ApiRecords, request: FastifyRequest) => Promise<LastingAnswer>
type WriteRoute = (records: ApiRecords, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

function resourceRoutes(app: FastifyInstance, installation: Records): void {
  const records = apiRecords(installation)
  const responses = new ResponseCache(installation)
  const reading = (path: string, answer: ReadRoute) =>
    app.get(path, (request, reply) => responses.answer(request, reply, () => answer(records, request)))
  const writing = (method: 'POST' | 'PATCH' | 'DELETE', url: string, write: WriteRoute) =>
    app.route({
      method,
      url,
      ...takesDryRun,
      handler: (request, reply) => {
        refuseOnlyRead(request)
        return write(records, request, reply)
      },
    })
  const all = '/api/:family/:bundle'
  const one = `${all}/:uuid`
  const linkage = `${one}/relationships/:name`
  reading(all, listResources)
  writing('POST', all, createResource)
  reading(one, readResource)
  writing('PATCH', one, updateResource)
  writing('DELETE', one, deleteResource)
  reading(`${one}/:name`, readRelated)
  reading(linkage, readRelationship)
  writing('POST', linkage, addToRelationship)
  writing('PATCH', linkage, replaceRelationship)
  writing('DELETE', linkage, removeFromRelationship)
}
