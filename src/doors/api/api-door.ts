import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountsByIds, listAccounts } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { Farm } from '../../farm/farm.ts'
import { isRelationship, type ResourceType } from '../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../farm/newer/resource-types.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { presentBundles } from '../../storage/records/all-records.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { newerInterfaceVersion, version } from '../../version.ts'
import { deliver, type ReadyAnswer, tagged } from '../http/answers/ready-answer.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRun } from '../http/dry-run.ts'
import type { Schema } from '../http/openapi/schema.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import { type Catalogue, type ConfigType, configTypeNames, configTypes } from './config/config-types.ts'
import { drawConfig, drawnWord } from './config/draw-config.ts'
import { changeFile, keepFile } from './files/file-change.ts'
import { linkToSender, listOfFiles, oneFile, senderOfFile } from './files/file-reading.ts'
import { uploadRoutes } from './files/uploads.ts'
import { refuseToWrite } from './only-read.ts'
import { readParameters } from './query/parameters.ts'
import { resourceRoutes } from './resources.ts'
import { type DescribedMember, type DescribedType, describedType, typesBeside } from './schemas/described-type.ts'
import { collectionSchema, entrySchema, individualSchema, relatedSchema } from './schemas/document-schemas.ts'
import { resourceSchema } from './schemas/resource-schema.ts'
import { shortListRoutes } from './short-list/short-list.ts'
import { subrequestRoutes } from './subrequests/subrequests.ts'
import { changeUser } from './users/user-change.ts'
import { drawUser, userAttributes } from './users/user-resource.ts'
import { addressOf } from './wire/resource-object.ts'
import type { Drawn } from './wire/thing.ts'
import { taggedDocument } from './wire/top-level.ts'

/** A script of another origin that asks first is told 200, as clients of this interface know it. */
export const apiScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/(?:api|subrequests)(?:\/|$)/, openTo: 'every registered origin', preflight: 200 },
]

/** The newer interface. */
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

type Answering = (installation: Records, request: FastifyRequest) => Promise<ReadyAnswer>

/** The files of the farm, as resources. They come with records, or by an upload for one. */
function fileRoutes(app: FastifyInstance, installation: Records): void {
  const reading = (path: string, answer: Answering) =>
    app.get(path, async (request, reply) => deliver(reply, await answer(installation, request)))
  const all = '/api/file/file'
  const one = `${all}/:uuid`
  reading(all, listOfFiles)
  reading(one, oneFile)
  reading(`${one}/uid`, senderOfFile)
  reading(`${one}/relationships/uid`, linkToSender)
  app.patch(one, takesDryRun, (request, reply) => changeFile(installation, request, reply))
  app.delete(one, takesDryRun, (request) => keepFile(installation, request))
}

/** Who can be named as an author or owner. Oneself is seen by everybody who may enter: the entry document links there. */
function userRoutes(app: FastifyInstance, installation: Records): void {
  shortListRoutes(app, installation, {
    type: 'user--user',
    searchable: userAttributes,
    all: async (request) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      return (await listAccounts(installation)).map((account) => drawUser(caller, account))
    },
    one: async (request, uuid) => {
      const caller = await callerOf(request, installation)
      const found = (await listAccounts(installation)).find((account) => account.uuid === uuid)
      requireRight(caller, found?.uid === caller.uid ? 'enter' : 'read-records')
      return found === undefined ? undefined : drawUser(caller, found)
    },
    draw: (things) => drawConfig(installation.farm, things),
    change: (request, uuid) => changeUser(installation, request, uuid),
  })
}

/** The words of the catalogue, as resources that are only read. */
function configRoutes(app: FastifyInstance, installation: Records): void {
  const { farm, database } = installation
  for (const [type, config] of configTypes) {
    shortListRoutes(app, installation, {
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

const drawnWords = (type: string, config: ConfigType, catalogue: Catalogue): readonly Drawn[] =>
  config
    .words(catalogue)
    .map((word) => drawnWord(type, config, word))
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))

const nameOf = ({ thing }: Drawn): string => String(thing.id)

/** Where a client begins: who is asking, what farm this is, and where its resources are. */
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
    const linked = [...types, ...others].map((type) => [type, { href: addressOf(base, type) }])
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

const others = ['file--file', 'user--user', ...configTypeNames]

type SchemaOf = (type: DescribedType, base: string, request: FastifyRequest) => Schema

/** What resources and documents are made of, as JSON Schema, for everybody who may enter. */
function schemaRoutes(app: FastifyInstance, installation: Records): void {
  const { farm } = installation
  const serve = (path: string, schemaOf: (request: FastifyRequest, base: string) => Schema) => {
    app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url: path, handler: refuseToWrite })
    app.get(path, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'enter')
      readParameters(request.url)
      const body = Buffer.from(JSON.stringify(schemaOf(request, baseAddressOf(request, installation))))
      return deliver(reply, tagged(request, { status: 200, headers: { 'content-type': 'application/json' }, body }))
    })
  }
  const ofType = (inside: string, schemaOf: SchemaOf) =>
    serve(`/api/:family/:bundle/${inside}`, (request, base) => {
      const { family, bundle } = request.params as Address
      return schemaOf(typeOf(`${family}--${bundle}`), base, request)
    })
  const typeOf = (name: string): DescribedType => {
    const type = describedType(farm, name)
    if (type === undefined) throw new Refusal('not-found', `There are no resources of the type ${name}.`)
    return type
  }

  serve('/api/schema', (_, base) => entrySchema(farm, base))
  ofType('schema', individualSchema)
  // Their other addresses take any word in this place.
  for (const type of typesBeside.values())
    serve(`/api/${type.name.replace('--', '/')}/schema`, (_, base) => individualSchema(type, base))
  ofType('collection/schema', collectionSchema)
  ofType('resource/schema', (type, base) => resourceSchema(farm, type, base))
  ofType('resource/relationships/:name/related/schema', (type, base, request) =>
    relatedSchema(type, relationshipOf(type, request), base),
  )
}

interface Address {
  readonly family: string
  readonly bundle: string
  readonly name: string
}

function relationshipOf(type: DescribedType, request: FastifyRequest): DescribedMember {
  const { name } = request.params as Address
  const found = type.members.find((member) => member.name === name && isRelationship(member))
  if (found === undefined) throw new Refusal('not-found', `${type.name} has no relationship ${name}.`)
  return found
}

/** The types of records that a client is shown: vocabularies that a plain farm does not need, from their first term on. */
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
