import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { ifMatch, writeHeaders, writeParameters } from '../../http/openapi/header-parameters.ts'
import { answer, operation, type Paths, refusedOften } from '../../http/openapi/operations.ts'
import { objectOf, responseRef, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { fileFields } from '../file-additions.ts'
import { located, recordParameter } from './record-paths.ts'

export const fileAdditionSchemas: Readonly<Record<string, Schema>> = {
  AddedFile: objectOf({
    properties: {
      id: schemaRef('Id'),
      uuid: schemaRef('Uuid'),
      uri: { type: 'string', format: 'uri' },
      resource: { type: 'string', const: 'file' },
      version: { ...schemaRef('Version'), description: 'Of the record, as it is now' },
    },
    required: ['id', 'uuid', 'uri', 'resource', 'version'],
  }),
}

const uuid: Schema = {
  name: 'uuid',
  in: 'query',
  description: 'The one that the file is to have: under the same it is added once',
  schema: schemaRef('Uuid'),
}

const contentDisposition: Schema = {
  name: 'Content-Disposition',
  in: 'header',
  description: 'With filename or filename*: what the file is called',
  schema: { type: 'string' },
}

const binary: Schema = { type: 'string', format: 'binary' }
const form = objectOf({ properties: { file: binary }, required: ['file'] })

const words: Readonly<Record<(typeof fileFields)[number], { readonly one: string; readonly type: string }>> = {
  images: { one: 'Image', type: 'image/*' },
  files: { one: 'File', type: '*/*' },
}

const names = { log: 'Log', asset: 'Asset', term: 'Term' } as const

/** One file at a time, as the body of a request. */
export function fileAdditionPaths(): Paths {
  const paths: Paths = {}
  for (const type of recordTypeNames) {
    for (const field of fileFields) {
      const { one, type: mediaType } = words[field]
      paths[`/${resourceNames[type]}/{id}/${field}`] = {
        parameters: [recordParameter],
        post: operation({
          id: `add${names[type]}${one}`,
          summary: `Add one ${one.toLowerCase()} to what the record has`,
          tag: 'files',
          parameters: [uuid, contentDisposition, ifMatch, ...writeParameters],
          body: { [mediaType]: { schema: binary }, 'multipart/form-data': { schema: form } },
          responses: {
            '200': added('The file, where it was added under its UUID before, also if it was taken away since'),
            '201': added('The file that was added'),
            '404': responseRef('NotFound'),
            '409': responseRef('UuidTaken'),
            '422': responseRef('Invalid'),
            ...refusedOften,
          },
        }),
      }
    }
  }
  return paths
}

const added = (description: string): Schema => ({
  ...answer(description, 'both', schemaRef('AddedFile')),
  headers: { ...located, ...writeHeaders },
})
