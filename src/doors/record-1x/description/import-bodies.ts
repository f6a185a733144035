import type { RecordTypeName } from '../../../farm/farm.ts'
import { inQuery } from '../../http/openapi/query-parameter.ts'
import { type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { doneWords, matchKeys } from '../sheets/intake/options.ts'

const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words })

const ofSheets: readonly Schema[] = [
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
  ...ofSheets,
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
