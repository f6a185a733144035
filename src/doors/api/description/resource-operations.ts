import type { Farm } from '../../../farm/farm.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import {
  ifMatch,
  ifNoneMatch,
  inQuery,
  operation,
  type Paths,
  type Schema,
  schemaRef,
  unchanged,
  writeHeaders,
  writeParameters,
} from '../../http/openapi.ts'
import { mediaType } from '../documents/document.ts'
import { documentAnswer, inPath, refused, relationshipInPath, typeInPath, uuidInPath } from './components.ts'

const all = '/api/{family}/{bundle}'

const one = `${all}/{uuid}`

const deepObject = (name: string, description: string): Schema => ({
  name,
  in: 'query',
  description,
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
})

/** Filtering, sorting and paging. */
const listParameters: readonly Schema[] = [
  deepObject('filter', 'Such as filter[name]=x, see docs/json-api.md'),
  deepObject('page', 'page[limit], at most 50, and page[offset]'),
  inQuery('sort', 'Such as -timestamp,name'),
]

/** Sparse fieldsets and inclusion. */
const shapeParameters: readonly Schema[] = [
  inQuery('include', 'What is shown beside them, over several steps: asset,quantity.units'),
  deepObject('fields', 'The members to show of a type: fields[log--harvest]=name,timestamp'),
  inQuery('as_of', 'A second of the past, for what is computed'),
]

const listOperations: Schema = {
  get: operation({
    id: 'listApiResources',
    summary: 'A page of the resources of a type',
    tag: 'api',
    parameters: [...listParameters, ...shapeParameters, ifNoneMatch],
    responses: { '200': documentAnswer('A page of them', 'ApiCollection'), '304': unchanged, ...refused },
  }),
  post: operation({
    id: 'makeApiResource',
    summary: 'Makes a record, under a UUID of your own where one is sent',
    tag: 'api',
    parameters: [...writeParameters],
    body: inEitherType('ApiNewResource'),
    responses: { '201': writeAnswer('The resource as it now is', 'ApiDocument'), ...refused },
  }),
}

const versionParameter = inQuery('resourceVersion', 'A revision: id:3, or the present one: rel:latest-version')

const resourceOperations: Schema = {
  get: operation({
    id: 'readApiResource',
    summary: 'One resource, as it is or as it was at a revision',
    tag: 'api',
    parameters: [...shapeParameters, versionParameter, ifNoneMatch],
    responses: { '200': documentAnswer('It', 'ApiDocument'), '304': unchanged, ...refused },
  }),
  patch: operation({
    id: 'changeApiResource',
    summary: 'Changes what is sent of a resource',
    tag: 'api',
    parameters: [...writeParameters, ifMatch],
    body: inEitherType('ApiChangedResource'),
    responses: { '200': writeAnswer('The resource as it now is', 'ApiDocument'), ...refused },
  }),
  delete: operation({
    id: 'removeApiResource',
    summary: 'Removes a resource',
    tag: 'api',
    parameters: [...writeParameters, ifMatch],
    responses: { '204': { description: 'It is removed', headers: writeHeaders }, ...refused },
  }),
}

const relatedOperations: Schema = {
  get: operation({
    id: 'readApiRelated',
    summary: 'What a relationship of a resource leads to',
    tag: 'api',
    parameters: [...shapeParameters, versionParameter, ifNoneMatch],
    responses: { '200': documentAnswer('One resource or several', 'ApiRelated'), '304': unchanged, ...refused },
  }),
}

const linkageOperations: Schema = {
  get: operation({
    id: 'readApiRelationship',
    summary: 'Which resources a relationship leads to',
    tag: 'api',
    parameters: [versionParameter, ifNoneMatch],
    responses: { '200': documentAnswer('Their identifiers', 'ApiRelationship'), '304': unchanged, ...refused },
  }),
  post: relinking('addToApiRelationship', 'Adds to a relationship'),
  patch: relinking('replaceApiRelationship', 'Replaces what a relationship leads to'),
  delete: relinking('removeFromApiRelationship', 'Takes out of a relationship'),
}

function relinking(id: string, summary: string): Schema {
  return operation({
    id,
    summary,
    tag: 'api',
    parameters: [...writeParameters, ifMatch],
    body: inEitherType('ApiLinkage'),
    responses: {
      '200': writeAnswer('The relationship as it now is', 'ApiRelationship'),
      '204': { description: 'It is as it was asked for', headers: writeHeaders },
      ...refused,
    },
  })
}

function inEitherType(schema: string): Schema {
  return { [mediaType]: { schema: schemaRef(schema) }, 'application/json': { schema: schemaRef(schema) } }
}

function writeAnswer(description: string, schema: string): Schema {
  return { ...documentAnswer(description, schema), headers: writeHeaders }
}

const ofOne = [...typeInPath, uuidInPath]

const ofRelationship = [...ofOne, relationshipInPath]

/** Addresses of resources: one per pattern, for all types. */
export const resourcePaths: Paths = {
  [all]: { parameters: typeInPath, ...listOperations },
  [one]: { parameters: ofOne, ...resourceOperations },
  [`${one}/{relationship}`]: { parameters: ofRelationship, ...relatedOperations },
  [`${one}/relationships/{relationship}`]: { parameters: ofRelationship, ...linkageOperations },
}

/** Uploads: for a future record, or added to an existing one. */
export function filePaths(farm: Farm): Paths {
  const holding = [...resourceTypes(farm).values()].map(({ family, bundle, members }) => ({
    family,
    bundle,
    names: [...members.values()].flatMap(({ name, field }) => (field.kind === 'attachment' ? [name] : [])),
  }))
  const paths: Paths = {}
  for (const name of new Set(holding.flatMap(({ names }) => names))) {
    const types = holding.filter(({ names }) => names.includes(name))
    const ofType = [
      inPath('family', { enum: [...new Set(types.map(({ family }) => family))] }),
      inPath('bundle', { enum: [...new Set(types.map(({ bundle }) => bundle))] }),
    ]
    const word = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
    paths[`/api/{family}/{bundle}/${name}`] = { parameters: ofType, post: uploadOf(name, word) }
    paths[`/api/{family}/{bundle}/{uuid}/${name}`] = {
      parameters: [...ofType, uuidInPath],
      post: adding(name, word),
    }
  }
  return paths
}

const uploadOf = (name: string, word: string): Schema =>
  operation({
    id: `sendApi${word}`,
    summary: `Sends a file for the ${name} of a record to come; what no record names goes after a day`,
    tag: 'api',
    parameters: [contentDisposition, ...writeParameters],
    body: bytes,
    responses: {
      '201': { ...documentAnswer('The file', 'ApiDocument'), headers: { ...located, ...writeHeaders } },
      ...refused,
    },
  })

const adding = (name: string, word: string): Schema =>
  operation({
    id: `addApi${word}`,
    summary: `Adds a file to the ${name} of a record`,
    tag: 'api',
    parameters: [contentDisposition, ...writeParameters, ifMatch],
    body: bytes,
    responses: {
      '200': { ...documentAnswer('All files that it has there', 'ApiCollection'), headers: writeHeaders },
      ...refused,
    },
  })

const bytes: Schema = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

const located: Schema = { Location: { description: 'Where the file is', schema: { type: 'string', format: 'uri' } } }

const contentDisposition: Schema = {
  name: 'Content-Disposition',
  in: 'header',
  required: true,
  description: 'What the file is called, in quotes or by RFC 8187: file; filename="beans.jpg"',
  schema: { type: 'string' },
}
