import type { Farm } from '../../../farm/farm.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { ifMatch, writeHeaders, writeParameters } from '../../http/openapi/header-parameters.ts'
import { operation, type Paths } from '../../http/openapi/operations.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { documentAnswer, refused } from './api-schemas.ts'
import { inPath, uuidInPath } from './type-parameters.ts'

/** Files as bodies of requests: for a record to come, or added to what a record has. */
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
