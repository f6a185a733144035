import type { Farm, RecordType } from '../../../farm/farm.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { answerAs, operation, type Paths, refusedOften } from '../../http/openapi/operations.ts'
import { inQuery } from '../../http/openapi/query-parameter.ts'
import { parameterRef, responseRef, type Schema } from '../../http/openapi/schema.ts'
import { sheetWords } from '../sheets/sheet-query.ts'
import { filterParameters, pastParameters } from './list-parameters.ts'

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
