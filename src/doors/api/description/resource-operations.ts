import type { Farm } from '../../../farm/farm.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import {
  answerAs,
  dryRun,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  inQuery,
  operation,
  type Paths,
  parameterRef,
  type Schema,
  schemaRef,
  unchanged,
  writeHeaders,
} from '../../http/openapi.ts'
import { mediaType } from '../documents/document.ts'
import {
  documentAnswer,
  documentWith,
  inPath,
  refused,
  relationshipInPath,
  typeInPath,
  uuidInPath,
} from './components.ts'

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

/** Parameters of many operations, each written down once. */
export const sharedParameters: Readonly<Record<string, Schema>> = {
  ApiFilter: deepObject('filter', 'Such as filter[name]=x, see docs/json-api.md'),
  ApiPage: deepObject('page', 'page[limit], at most 50, and page[offset]'),
  ApiSort: inQuery('sort', 'Such as -timestamp,name'),
  ApiInclude: inQuery('include', 'What is shown beside them, over several steps: asset,quantity.units'),
  ApiFields: deepObject('fields', 'The members to show of a type: fields[log--harvest]=name,timestamp'),
  ApiAsOf: inQuery('as_of', 'A second of the past, for what is computed'),
  ApiVersion: inQuery('resourceVersion', 'A revision: id:3, or the present one: rel:latest-version'),
  ApiIfNoneMatch: ifNoneMatch,
  ApiIfMatch: ifMatch,
  ApiDryRun: dryRun,
  ApiIdempotencyKey: idempotencyKey,
}

const shared = (...names: readonly string[]): readonly Schema[] => names.map((name) => parameterRef(`Api${name}`))

const shapes = shared('Include', 'Fields', 'AsOf')
const versionAndTag = shared('Version', 'IfNoneMatch')
const ofWrite = shared('DryRun', 'IdempotencyKey')

/** The resources that operations are about: those of every type, or of one. */
interface ResourceScope {
  /** Ends the operation ids. */
  readonly word: string
  readonly tag: string
  readonly one: Schema
  readonly several: Schema
}

const everyType: ResourceScope = {
  word: 'ApiResource',
  tag: 'api',
  one: schemaRef('ApiDocument'),
  several: schemaRef('ApiCollection'),
}

const listOperations = ({ word, tag, one: document, several }: ResourceScope): Schema => ({
  get: operation({
    id: `list${word}s`,
    summary: 'A page of the resources of a type',
    tag,
    parameters: [...shared('Filter', 'Page', 'Sort'), ...shapes, ...shared('IfNoneMatch')],
    responses: { '200': answerAs('A page of them', mediaType, several), '304': unchanged, ...refused },
  }),
  post: operation({
    id: `make${word}`,
    summary: 'Makes a record, under a UUID of your own where one is sent',
    tag,
    parameters: ofWrite,
    body: inEitherType('ApiNewResource'),
    responses: { '201': writeAnswer('The resource as it now is', document), ...refused },
  }),
})

const resourceOperations = ({ word, tag, one: document }: ResourceScope): Schema => ({
  get: operation({
    id: `read${word}`,
    summary: 'One resource, as it is or as it was at a revision',
    tag,
    parameters: [...shapes, ...versionAndTag],
    responses: { '200': answerAs('It', mediaType, document), '304': unchanged, ...refused },
  }),
  patch: operation({
    id: `change${word}`,
    summary: 'Changes what is sent of a resource',
    tag,
    parameters: [...ofWrite, ...shared('IfMatch')],
    body: inEitherType('ApiChangedResource'),
    responses: { '200': writeAnswer('The resource as it now is', document), ...refused },
  }),
  delete: operation({
    id: `remove${word}`,
    summary: 'Removes a resource',
    tag,
    parameters: [...ofWrite, ...shared('IfMatch')],
    responses: { '204': { description: 'It is removed', headers: writeHeaders }, ...refused },
  }),
})

const relatedOperations: Schema = {
  get: operation({
    id: 'readApiRelated',
    summary: 'What a relationship of a resource leads to',
    tag: 'api',
    parameters: [...shapes, ...versionAndTag],
    responses: { '200': documentAnswer('One resource or several', 'ApiRelated'), '304': unchanged, ...refused },
  }),
}

const linkageOperations: Schema = {
  get: operation({
    id: 'readApiRelationship',
    summary: 'Which resources a relationship leads to',
    tag: 'api',
    parameters: versionAndTag,
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
    parameters: [...ofWrite, ...shared('IfMatch')],
    body: inEitherType('ApiLinkage'),
    responses: {
      '200': writeAnswer('The relationship as it now is', schemaRef('ApiRelationship')),
      '204': { description: 'It is as it was asked for', headers: writeHeaders },
      ...refused,
    },
  })
}

function inEitherType(schema: string): Schema {
  return { [mediaType]: { schema: schemaRef(schema) }, 'application/json': { schema: schemaRef(schema) } }
}

function writeAnswer(description: string, schema: Schema): Schema {
  return { ...answerAs(description, mediaType, schema), headers: writeHeaders }
}

const ofOne = [...typeInPath, uuidInPath]

const ofRelationship = [...ofOne, relationshipInPath]

/** Addresses of resources: one per pattern, for all types. */
export const resourcePaths: Paths = {
  [all]: { parameters: typeInPath, ...listOperations(everyType) },
  [one]: { parameters: ofOne, ...resourceOperations(everyType) },
  [`${one}/{relationship}`]: { parameters: ofRelationship, ...relatedOperations },
  [`${one}/relationships/{relationship}`]: { parameters: ofRelationship, ...linkageOperations },
}

/** The same addresses for each type of record, so that a generated client knows what each type answers with. */
export function typedPaths(farm: Farm): Paths {
  const paths: Paths = {}
  for (const { name, family, bundle } of resourceTypes(farm).values()) {
    const scope: ResourceScope = {
      word: wordOf(`${family}_${bundle}`),
      tag: typedTag,
      one: documentWith(schemaRef(name)),
      several: documentWith({ type: 'array', items: schemaRef(name) }),
    }
    paths[`/api/${family}/${bundle}`] = listOperations(scope)
    paths[`/api/${family}/${bundle}/{uuid}`] = { parameters: [uuidInPath], ...resourceOperations(scope) }
  }
  return paths
}

export const typedTag = 'api-types'

/** `log_lab_test` is LogLabTest. */
const wordOf = (name: string): string =>
  name.replace(/(?:^|_+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

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
    const word = wordOf(name)
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
    parameters: [contentDisposition, ...ofWrite],
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
    parameters: [contentDisposition, ...ofWrite, ...shared('IfMatch')],
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
