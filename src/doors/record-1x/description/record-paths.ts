import type { Farm, RecordType } from '../../../farm/farm.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { importBodies, importParameters } from '../../furrow/description/sheet-paths.ts'
import { ifMatch, ifNoneMatch, unchanged, writeHeaders, writeParameters } from '../../http/openapi/header-parameters.ts'
import {
  answer,
  contentOf,
  operation,
  type Paths,
  refusedOften,
  type Spelling,
  spellings,
} from '../../http/openapi/operations.ts'
import {
  filterParameters,
  pageParameters,
  pastParameters,
  recordParameters,
} from '../../http/openapi/record-parameters.ts'
import { responseRef, type Schema, schemaRef } from '../../http/openapi/schema.ts'

/** Lists, records and their writing, the same for every record type (spec 4). */
export function recordPaths(farm: Farm): Paths {
  return Object.assign({}, ...recordTypeNames.map((name) => pathsOf(farm, farm.records[name])))
}

const words: Readonly<Record<keyof Farm['records'], readonly [one: string, many: string, id: string]>> = {
  log: ['a log', 'logs', 'Log'],
  asset: ['an asset', 'assets', 'Asset'],
  term: ['a term', 'terms', 'Term'],
  quantity: ['a quantity', 'quantities', 'Quantity'],
}

function pathsOf(farm: Farm, type: RecordType): Paths {
  const name = resourceNames[type.name]
  const [one, many, id] = words[type.name]
  const options = recordParameters(type)
  const paths: Paths = {}
  for (const spelling of spellings) {
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
    paths[`/${name}${extension}`] = { get: list, ...(isPlain ? { post: creation(type.name, options) } : {}) }
    paths[`/${name}/{id}${extension}`] = {
      parameters: [recordParameter],
      get: show,
      ...(isPlain
        ? {
            put: change(type.name, 'change', options),
            post: change(type.name, 'changeByPost', options),
            delete: removal(type.name),
          }
        : {}),
    }
  }
  return paths
}

/** A list between its links; the schema of XML is the same tree with other tags, see docs/xml.md. */
export function listSchema(item: Schema, { formats }: Spelling): Schema {
  const link: Schema = { type: 'string', description: 'An address that repeats the query as it was asked' }
  return {
    type: 'object',
    properties: {
      self: link,
      first: link,
      last: link,
      prev: link,
      next: link,
      list: { type: 'array', items: formats === 'both' ? { anyOf: [item, schemaRef('Reference')] } : item },
    },
    required: ['self', 'first', 'last', 'list'],
    additionalProperties: false,
    xml: { name: 'list' },
  }
}

export const idParameter: Schema = { name: 'id', in: 'path', required: true, schema: schemaRef('Id') }

/** A record is found by its id, and by its UUID. */
export const recordParameter: Schema = { ...idParameter, schema: { anyOf: [schemaRef('Id'), schemaRef('Uuid')] } }

export const located: Schema = {
  Location: { description: 'Its address', schema: { type: 'string', format: 'uri' } },
}

const creation = (name: keyof Farm['records'], options: readonly Schema[]): Schema =>
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

const change = (name: keyof Farm['records'], verb: string, options: readonly Schema[]): Schema =>
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
