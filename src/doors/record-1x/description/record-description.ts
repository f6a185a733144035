import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { matchKeys } from '../../../sheets/import/import-options.ts'
import { batchPaths, batchSchemas } from '../../furrow/description/batch-paths.ts'
import { changePaths, changeSchemas } from '../../furrow/description/change-paths.ts'
import { historyPaths, historySchemas, undoPaths } from '../../furrow/description/history-paths.ts'
import { mapPaths, mapSchemas } from '../../furrow/description/map-paths.ts'
import { pastPaths, pastSchemas } from '../../furrow/description/past-paths.ts'
import { reportPaths, reportSchemas } from '../../furrow/description/report-paths.ts'
import { sheetParameters, sheetPaths } from '../../furrow/description/sheet-paths.ts'
import { trashPaths, trashSchemas } from '../../furrow/description/trash-paths.ts'
import { fileFields } from '../../furrow/file-additions.ts'
import type { DoorDescription } from '../../http/openapi/door-description.ts'
import { ifMatch, writeHeaders, writeParameters } from '../../http/openapi/header-parameters.ts'
import { answer, operation, type Paths, refusedOften } from '../../http/openapi/operations.ts'
import { listParameters } from '../../http/openapi/record-parameters.ts'
import { nullable, objectOf, responseRef, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { otherPaths, otherSchemas } from './farm-paths.ts'
import { located, recordParameter, recordPaths } from './record-paths.ts'
import { type DescribedCatalogue, recordSchemas } from './record-schemas.ts'
import { valueSchemas } from './value-schemas.ts'

/** The record interface, from the catalogue as the modules have left it. */
export const recordDescription = (catalogue: DescribedCatalogue): DoorDescription => ({
  tags: [
    { name: resourceNames.log, description: 'What happened, or is to happen' },
    { name: resourceNames.asset, description: 'What the farm has' },
    { name: resourceNames.term, description: 'Areas, crops and the other vocabularies' },
    { name: 'farm', description: 'The farm itself' },
    { name: 'past', description: 'Where assets were, and why' },
    { name: 'reports', description: 'What was harvested and put on, with the logs behind each figure' },
    { name: 'files', description: 'Photos and other files' },
    { name: 'history', description: 'Who changed what together' },
    { name: 'trash', description: 'What was removed' },
  ],
  paths: {
    ...recordPaths(catalogue.farm),
    ...sheetPaths(catalogue.farm),
    ...mapPaths(catalogue.farm),
    ...fileAdditionPaths(),
    ...batchPaths,
    ...changePaths,
    ...otherPaths(),
    ...pastPaths(),
    ...reportPaths(catalogue.farm),
    ...historyPaths,
    ...undoPaths,
    ...trashPaths,
  },
  schemas: {
    ...valueSchemas,
    ...batchSchemas,
    ...mapSchemas,
    ...changeSchemas,
    ...fileAdditionSchemas,
    ...pastSchemas,
    ...reportSchemas,
    ...otherSchemas(catalogue.farm),
    ...historySchemas,
    ...trashSchemas,
    ...sheetSchemas,
    ...recordSchemas(catalogue),
  },
  parameters: { ...listParameters(catalogue.farm), ...sheetParameters },
})

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer', minimum: 0 }
const row: Schema = { type: 'integer', minimum: 1, description: 'As a spreadsheet counts them' }

const fault: Schema = objectOf({
  properties: {
    column: { ...text, description: 'The header, or the name of a field that has no column' },
    value: { ...text, description: 'What the cell says' },
    message: text,
    allowed: { type: 'array', items: text },
  },
  required: ['column', 'value', 'message'],
})

const rowResult: Schema = objectOf({
  properties: {
    row,
    to_row: { ...row, description: 'The last row, where several are about one record' },
    result: { ...text, enum: ['created', 'changed', 'unchanged', 'fault'] },
    id: schemaRef('Id'),
    uuid: schemaRef('Uuid'),
    uri: { ...text, format: 'uri' },
    resource: text,
    faults: { type: 'array', items: fault },
  },
  required: ['row', 'result'],
})

const found: Schema = objectOf({
  properties: {
    encoding: { ...text, enum: ['utf-8', 'windows-1252'] },
    separator: { ...text, enum: ['comma', 'semicolon', 'tab'] },
    head_row: row,
    match: nullable({ ...text, enum: [...matchKeys] }),
    timezone: text,
    columns: {
      type: 'array',
      items: objectOf({
        properties: {
          column: text,
          field: text,
          taken: { const: false, description: 'What the farm works out or notes itself is not looked at' },
          decimal: { ...text, enum: ['.', ','] },
          dates: { ...text, enum: ['dmy', 'mdy', 'ymd'] },
        },
        required: ['column', 'field'],
      }),
    },
  },
  required: ['encoding', 'separator', 'head_row', 'match', 'timezone', 'columns'],
})

const sheetSchemas: Readonly<Record<string, Schema>> = {
  SheetOutcome: objectOf({
    properties: {
      counts: objectOf({
        properties: {
          ...{ created: whole, changed: whole, unchanged: whole, fault: whole },
          done: { ...whole, description: 'New logs that are done' },
          planned: { ...whole, description: 'New logs that are planned' },
        },
        required: ['created', 'changed', 'unchanged', 'fault'],
      }),
      found: schemaRef('SheetFound'),
      rows: { type: 'array', items: schemaRef('SheetRow') },
    },
    required: ['counts', 'found', 'rows'],
  }),
  SheetFound: found,
  SheetRow: rowResult,
}

const fileAdditionSchemas: Readonly<Record<string, Schema>> = {
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
function fileAdditionPaths(): Paths {
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
