import type { Farm, RecordType, RecordTypeName } from '../../../farm/farm.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { doneWords, matchKeys } from '../../../sheets/import/import-options.ts'
import { sheetWords } from '../../../sheets/sheet-query.ts'
import {
  answerAs,
  ifNoneMatch,
  inQuery,
  nullable,
  objectOf,
  operation,
  type Paths,
  parameterRef,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  unchanged,
} from '../../http/openapi.ts'

import { filterParameters, pastParameters } from '../../http/record-parameters.ts'

const words: Readonly<Record<keyof typeof sheetWords, string>> = {
  head: 'What the first row says: the names of fields, or their labels',
  refs: 'Whether others are given by name or by number',
  sep: 'What stands between the cells',
  bom: '1 puts a byte order mark in front, for spreadsheets that need one',
  times: 'Times by the clocks of the farm, or in Unix seconds',
}

/** The parameters of sheets, under the names by which they are referred to. */
export const sheetParameters: Readonly<Record<string, Schema>> = {
  sheet_fields: inQuery('fields', 'The columns, with commas between; uuid and version come along', { type: 'string' }),
  sheet_rows: inQuery('rows', 'A row for each of these parts, such as quantity', { type: 'string' }),
  ...Object.fromEntries(
    Object.entries(words).map(([name, description]) => [
      `sheet_${name}`,
      inQuery(name, description, { type: 'string', enum: sheetWords[name as keyof typeof sheetWords] }),
    ]),
  ),
}

const ofSheets = Object.keys(sheetParameters).map(parameterRef)
const csv = (description: string): Schema => answerAs(description, 'text/csv', { type: 'string' })

/** Lists as CSV, and empty sheets to fill in. */
export const sheetPaths = (farm: Farm): Paths => ({
  ...Object.assign({}, ...recordTypeNames.map((name) => pathsOf(farm, farm.records[name]))),
  ...shortSheet(`/${resourceNames.vocabulary}`, 'Vocabularies', 'the vocabularies'),
  ...shortSheet(`/${resourceNames.user}`, 'Users', 'who can be named'),
})

const titles: Readonly<Record<(typeof recordTypeNames)[number], string>> = {
  log: 'Logs',
  asset: 'Assets',
  term: 'Terms',
}

function pathsOf(farm: Farm, type: RecordType): Paths {
  const name = resourceNames[type.name]
  const title = titles[type.name as keyof typeof titles]
  const sorting = ['sort', 'direction'].map(parameterRef)
  const list = operation({
    id: `sheetOf${title}`,
    summary: `All ${title.toLowerCase()} that match, as a sheet`,
    tag: name,
    parameters: [...ofSheets, ...sorting, ...filterParameters(farm, type), ...pastParameters(type), ifNoneMatch],
    responses: { '200': csv('A row for each'), '304': unchanged, ...refusedOften },
  })
  const template = operation({
    id: `templateOf${title}`,
    summary: 'An empty sheet to fill in',
    tag: name,
    parameters: [...ofSheets, ifNoneMatch],
    responses: { '200': csv('The first row'), '304': unchanged, '404': responseRef('NotFound'), ...refusedOften },
  })
  const parameter = {
    name: 'type',
    in: 'path',
    required: true,
    schema: { type: 'string', enum: Object.keys(type.bundles) },
  }
  return { [`/${name}.csv`]: { get: list }, [`/sheets/${name}/{type}.csv`]: { parameters: [parameter], get: template } }
}

const shortSheet = (path: string, title: string, listed: string): Paths => ({
  [`${path}.csv`]: {
    get: operation({
      id: `sheetOf${title}`,
      summary: `List ${listed}, as a sheet`,
      tag: 'farm',
      parameters: [...ofSheets, ifNoneMatch],
      responses: { '200': csv('A row for each'), '304': unchanged, ...refusedOften },
    }),
  },
})

const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words })

const sheetImportParameters: readonly Schema[] = [
  inQuery('head_row', 'Of a sheet: the row of its headers', { type: 'integer', minimum: 1 }),
  inQuery('empty', 'Of a sheet: what empty cells do', oneOf('leave', 'clear')),
  inQuery('on_fault', 'What becomes of the other rows or features where one has a fault', oneOf('refuse', 'skip')),
  inQuery('decimal', 'Of a sheet: the decimal sign', oneOf('.', ',')),
  inQuery('dates', 'Of a sheet: the order of its days', oneOf('dmy', 'mdy', 'ymd')),
  inQuery('sep', 'Of a sheet: what stands between its cells', oneOf('comma', 'semicolon', 'tab', ',', ';', '\t')),
  inQuery('rows', 'Of a sheet: the part of which each has a row, such as quantity'),
  inQuery('done', 'Of a sheet: whether new logs are done, where no cell says so', oneOf(...doneWords)),
]

const sheetMap =
  'Of a sheet: what its headers stand for, a JSON object of headers and the names of fields, or map[Header]=field'
const areaMap = 'Of a map: which property says which field, as in name=NAME,type=KIND,parent=BLOCK'
const bundle = 'Of a sheet: what all its rows are, where no column says so'

const ofEither: readonly Schema[] = [
  inQuery('match', 'By what the records are known; areas of a map have no tag', oneOf(...matchKeys)),
  inQuery('overwrite', '1 also changes what has changed since it was exported', oneOf('0', '1')),
]

/** How a sheet or a map is to be read, where it does not tell by itself. */
export const importParameters = (type: RecordTypeName): readonly Schema[] => [
  ...sheetImportParameters,
  ...ofEither,
  ...(type === 'term'
    ? [
        inQuery('vocabulary', bundle),
        inQuery('map', `${sheetMap}. ${areaMap}`),
        inQuery('far', 'Of a map: ok where it does lie far from all areas', oneOf('refused', 'ok')),
      ]
    : [inQuery('type', bundle), inQuery('map', sheetMap)]),
]

/**
 * A body that is answered with something else than a record. It is told with the body, and not as one of two answers:
 * so a typed client that makes a record gets a record.
 */
const answeredWith = (answer: string, body: Schema): Schema => ({
  schema: { ...body, $defs: { answer: schemaRef(answer) } },
})

/** What can be sent in place of a record: a sheet, and in place of a term a map, whose features become areas. */
export const importBodies = (type: RecordTypeName): Schema => ({
  'text/csv': answeredWith('SheetOutcome', { type: 'string', description: 'Rows of records, see /docs/sheets' }),
  ...(type === 'term' ? maps : {}),
})

const maps: Schema = {
  'application/geo+json': answeredWith('MapImport', { type: 'object' }),
  'application/vnd.google-earth.kml+xml': answeredWith('MapImport', { type: 'string' }),
  'application/vnd.google-earth.kmz': answeredWith('MapImport', { type: 'string', format: 'binary' }),
}

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

export const sheetSchemas: Readonly<Record<string, Schema>> = {
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
