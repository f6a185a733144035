import type { FastifyInstance } from 'fastify'
import type { Farm, RecordType, RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { MatchPage } from '../../records/finding/find.ts'
import type { Records } from '../../records/records.ts'
import { SnapshotCache } from '../../storage/snapshot-cache.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import { type BodyImport, isRecordBody } from '../http/body.ts'
import { takesDryRun } from '../http/dry-run.ts'
import {
  answer,
  contentOf,
  type DoorDescription,
  ifMatch,
  ifNoneMatch,
  operation,
  type Paths,
  pathVariants,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  unchanged,
  writeHeaders,
  writeParameters,
} from '../http/openapi.ts'
import {
  filterParameters,
  listParameters,
  listSchema,
  located,
  pageParameters,
  pastParameters,
  recordParameter,
  recordParameters,
} from '../http/record-parameters.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import { areasGeojsonDescription, areasGeojsonRoutes } from './areas-geojson.ts'
import { type DescribedCatalogue, recordSchemas } from './description/record-schemas.ts'
import { valueSchemas } from './description/value-schemas.ts'
import { farmInfoDescription, farmInfoRoutes } from './farm-info.ts'
import { fileRoutes, filesDescription } from './files.ts'
import { list, show } from './read-records.ts'
import { shortListRoutes, shortListsDescription } from './short-lists.ts'
import { change, drop, make } from './write-records.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  farmInfoRoutes(app, installation, parts.responses)
  recordRoutes(app, installation, parts)
  shortListRoutes(app, installation)
  fileRoutes(app, installation)
  areasGeojsonRoutes(app, installation)
}

/** About how many ids are remembered. */
const mostFound = 100_000

interface RecordDoorParts {
  /** The cache of documents. */
  readonly documents: DocumentCache
  readonly responses: ResponseCache
  /** Bodies other than a record. */
  readonly imports: readonly BodyImport[]
}

/** The same few routes for logs, assets and terms (spec 4). */
function recordRoutes(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  const { documents, responses, imports } = parts
  for (const type of recordTypeNames) {
    const findings = {
      present: new SnapshotCache<string, MatchPage>(mostFound),
      past: new SnapshotCache<string, MatchPage>(mostFound),
    }
    const collection = { installation, documents, type, findings }
    const resource = `/${resourceNames[type]}`
    for (const path of [resource, `${resource}.json`, `${resource}.xml`]) {
      app.get(path, (request, reply) => responses.answer(request, reply, () => list(collection, request)))
      app.post(path, takesDryRun, (request, reply) => {
        const other = isRecordBody(request) ? undefined : imports.find((one) => one.isSentBy(request, type))
        return other?.take(collection, request, reply) ?? make(collection, request, reply)
      })
    }
    app.get(`${resource}/:id`, (request, reply) => responses.answer(request, reply, () => show(collection, request)))
    app.put(`${resource}/:id`, takesDryRun, (request, reply) => change(collection, request, reply))
    app.post(`${resource}/:id`, takesDryRun, (request, reply) => change(collection, request, reply))
    app.delete(`${resource}/:id`, takesDryRun, (request, reply) => drop(collection, request, reply))
  }
}

/** The record interface, from the catalogue as the modules have left it, and what its addresses take in place of records. */
export const recordDescription = (catalogue: DescribedCatalogue, imports: ImportsDescription): DoorDescription => ({
  tags: [
    { name: resourceNames.log, description: 'What happened, or is to happen' },
    { name: resourceNames.asset, description: 'What the farm has' },
    { name: resourceNames.term, description: 'Areas, crops and the other vocabularies' },
    { name: 'farm', description: 'The farm itself' },
  ],
  paths: recordPaths(catalogue.farm, imports),
  schemas: { ...valueSchemas, ...recordSchemas(catalogue) },
  parameters: listParameters(catalogue.farm),
})

/** The farm itself, and who and what can be named on it. */
export const farmDescriptions = (farm: Farm): readonly DoorDescription[] => [
  farmInfoDescription,
  shortListsDescription(farm),
  filesDescription,
  areasGeojsonDescription,
]

/** What can be posted in place of a record. */
interface ImportsDescription {
  readonly importParameters: (type: RecordTypeName) => readonly Schema[]
  readonly importBodies: (type: RecordTypeName) => Schema
}

/** Lists, records and their writing, the same for every record type (spec 4). */
function recordPaths(farm: Farm, imports: ImportsDescription): Paths {
  return Object.assign({}, ...recordTypeNames.map((name) => pathsOf(farm, farm.records[name], imports)))
}

const words: Readonly<Record<keyof Farm['records'], readonly [one: string, many: string, id: string]>> = {
  log: ['a log', 'logs', 'Log'],
  asset: ['an asset', 'assets', 'Asset'],
  term: ['a term', 'terms', 'Term'],
  quantity: ['a quantity', 'quantities', 'Quantity'],
}

function pathsOf(farm: Farm, type: RecordType, imports: ImportsDescription): Paths {
  const name = resourceNames[type.name]
  const [one, many, id] = words[type.name]
  const options = recordParameters(type)
  const paths: Paths = {}
  for (const spelling of pathVariants) {
    const { extension, formats, word } = spelling
    const list = operation({
      id: `list${id}s${word}`,
      summary: `List ${many}`,
      tag: name,
      parameters: [...pageParameters(spelling), ...filterParameters(farm, type), ...pastParameters(type), ifNoneMatch],
      responses: {
        '200': answer(`A page of ${many}`, formats, listSchema(schemaRef(name), spelling)),
        '304': unchanged,
        '404': responseRef('NotFound'),
        ...refusedOften,
      },
    })
    const show = operation({
      id: `read${id}${word}`,
      summary: `Read ${one}`,
      tag: name,
      parameters: [...options, ...pastParameters(type), ifNoneMatch],
      responses: {
        '200': answer(`The record`, formats, schemaRef(name)),
        '304': unchanged,
        '404': responseRef('NotFound'),
        ...refusedOften,
      },
    })
    const isPlain = extension === ''
    paths[`/${name}${extension}`] = { get: list, ...(isPlain ? { post: creation(type.name, options, imports) } : {}) }
    paths[`/${name}/{id}${extension}`] = {
      parameters: [recordParameter],
      get: show,
      ...(isPlain
        ? {
            put: changing(type.name, 'change', options),
            post: changing(type.name, 'changeByPost', options),
            delete: removal(type.name),
          }
        : {}),
    }
  }
  return paths
}

const creation = (
  name: keyof Farm['records'],
  options: readonly Schema[],
  { importParameters, importBodies }: ImportsDescription,
): Schema =>
  operation({
    id: `create${words[name][2]}`,
    summary: `Create ${words[name][0]}`,
    tag: resourceNames[name],
    parameters: [...options, ...importParameters(name), ...writeParameters],
    body: {
      ...contentOf('both', schemaRef(`${resourceNames[name]}_new`)),
      ...importBodies(name),
    },
    responses: {
      '200': {
        ...answer(
          `The record as it is now, where the same was made under its UUID before. A sheet is answered with a SheetOutcome${name === 'term' ? ', a map with a MapImport' : ''}`,
          'both',
          schemaRef(resourceNames[name]),
        ),
        headers: { ...located, ...writeHeaders },
      },
      '201': {
        ...answer('The record, with its address', 'both', schemaRef(resourceNames[name])),
        headers: { ...located, ...writeHeaders },
      },
      '409': responseRef('UuidTaken'),
      '422': responseRef('Invalid'),
      ...refusedOften,
    },
  })

const changing = (name: keyof Farm['records'], verb: string, options: readonly Schema[]): Schema =>
  operation({
    id: `${verb}${words[name][2]}`,
    summary: `Change fields of ${words[name][0]}, and keep the rest`,
    tag: resourceNames[name],
    parameters: [...options, ifMatch, ...writeParameters],
    body: contentOf('both', schemaRef(`${resourceNames[name]}_change`)),
    responses: {
      '200': { ...answer('The record as it is now', 'both', schemaRef(resourceNames[name])), headers: writeHeaders },
      '404': responseRef('NotFound'),
      '422': responseRef('Invalid'),
      ...refusedOften,
    },
  })

const removal = (name: keyof Farm['records']): Schema =>
  operation({
    id: `remove${words[name][2]}`,
    summary: `Remove ${words[name][0]} that nothing refers to`,
    tag: resourceNames[name],
    parameters: [ifMatch, ...writeParameters],
    responses: {
      '200': { ...answer('Removed: an empty list', 'both', schemaRef('EmptyList')), headers: writeHeaders },
      '404': responseRef('NotFound'),
      '409': responseRef('Conflict'),
      ...refusedOften,
    },
  })
