import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import {
  fileFormatNames,
  fileFormats,
  formatOfMediaType,
  isMapFormat,
  isSheetFormat,
  type SheetFormatName,
} from '../../formats/file-formats.ts'
import { readQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import { doneWords, matchKeys, othersWords, sheetOptionsIn } from '../../sheets/import/import-options.ts'
import {
  animalsNotIn,
  countsOf,
  detectedFormat,
  rowResults,
  shownTree,
  summaryOf,
} from '../../sheets/import/import-outcome.ts'
import { checkSheet, importRows, refuseFaulty } from '../../sheets/import/import-sheet.ts'
import { openSheet, rememberSheet } from '../../sheets/import/open-sheet.ts'
import { sourceInMemory } from '../../sheets/import/sheet-source.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import { type BodyImport, bytesOf } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { carryOut } from '../http/idempotency.ts'
import { contentTypeOf, requirePlainBytes } from '../http/negotiation.ts'
import { contentSchemas, type DoorDescription, inQuery, type Schema, schemaRef } from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { sendOne } from '../http/record-answers.ts'
import { type SheetImportDocument, sheetImportSchemas } from './import-documents.ts'

function sheetFormatOf(request: FastifyRequest): SheetFormatName | undefined {
  const format = formatOfMediaType(contentTypeOf(request).type)
  return format !== undefined && isSheetFormat(format) ? format : undefined
}

/** Imports the rows of a sheet as records. */
export const sheetImport: BodyImport = {
  isSentBy: (request) => sheetFormatOf(request) !== undefined,
  async take({ installation, type }, request, reply) {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'write-records')
    // Results of rows can reveal other records.
    requireRight(caller, 'read-records')
    const entries = readQuery(request.url)
    refuseAsOf(entries)
    const options = sheetOptionsIn(entries)
    const source = await sourceInMemory(sheetBytes(request), sheetFormatOf(request) ?? 'csv', options)
    const opened = await openSheet(installation, { type, options, source })
    const checked = await checkSheet({ installation, caller, opened })
    const base = baseAddressOf(request, installation)
    const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
      refuseFaulty(checked)
      const written = await importRows(work, checked, { groups: checked.groups ?? [], words: checked.words })
      if (options.recall === '1') await rememberSheet(work.tx, checked.opened)
      const results = await rowResults(work.tx, checked.opened, { written, base })
      const missing = await animalsNotIn(work.tx, checked.opened, { written, base })
      const answer: SheetImportDocument = {
        counts: countsOf(checked.opened, written.values()),
        summary: summaryOf(written.values()),
        found: detectedFormat(checked.opened),
        shown: checked.shown.map(shownTree),
        rows: results,
        ...(missing === undefined ? {} : { not_in_sheet: missing }),
      }
      return { status: 200, headers: {}, json: JSON.stringify(answer) }
    })
    return sendOne(request, reply, { root: 'sheet', json })
  },
}

/** Clients send the charset out of habit; the bytes decide. */
const charsets: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'windows-1252', 'iso-8859-1']

function sheetBytes(request: FastifyRequest): Buffer {
  const { charset } = contentTypeOf(request)
  if (!charsets.includes(charset))
    throw new Refusal('unsupported-media-type', `The charset "${charset}" is not understood: send UTF-8.`)
  requirePlainBytes(request)
  return bytesOf(request)
}

const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words })

const sheetImportParameters: readonly Schema[] = [
  inQuery('head_row', 'Of a sheet: the row of its headers', { type: 'integer', minimum: 1 }),
  inQuery('empty', 'Of a sheet: what empty cells do', oneOf('leave', 'clear')),
  inQuery('on_fault', 'What becomes of the other rows or features where one has a fault', oneOf('refuse', 'skip')),
  inQuery('decimal', 'Of a sheet: the decimal sign', oneOf('.', ',')),
  inQuery('dates', 'Of a sheet: the order of its days', oneOf('dmy', 'mdy', 'ymd')),
  inQuery('sep', 'Of a sheet: what stands between its cells', oneOf('comma', 'semicolon', 'tab', ',', ';', '\t')),
  inQuery(
    'sheet',
    'Of a workbook: the name or number of the sheet, if it is not the first that has cells; * reads all with the same headers',
  ),
  inQuery('rows', 'Of a sheet: the part of which each has a row, such as quantity'),
  inQuery('others', 'Of a sheet: what becomes of columns that nobody knows', oneOf(...othersWords)),
  inQuery('again', 'Of a sheet of logs: 0 leaves out rows that were recorded before', oneOf('0', '1')),
  inQuery('weighed', 'Of a sheet of animals: the day of weights that no column says', {
    type: 'string',
    format: 'date',
  }),
  inQuery('left', 'Of a sheet of animals: the day of those that have left, where no column says it', {
    type: 'string',
    format: 'date',
  }),
  inQuery('kinds', 'Of a sheet of logs: 1 lets its column of tasks say the type of each row', oneOf('0', '1')),
  inQuery('year', 'Of a sheet: the year of days that have none', { type: 'integer' }),
  inQuery('file', 'Of a sheet: the name of its file, which may say the year'),
  inQuery('fill', 'Of a sheet: 0 leaves cells empty that repeat what stands above', oneOf('0', '1')),
  inQuery('cell', 'Of a sheet: another text for a cell, by its row and column: cell[12][3]=7.5'),
  inQuery('value', 'Of a sheet: another text for all equal cells of a column: value[Crop][Lettuse]=Lettuce'),
  inQuery('perennial', 'Of a sheet of logs: crops that are one planting over all years: all, none, or names'),
  inQuery('language', 'Of a sheet: in which faults are worded and logs are named', oneOf('en', 'de', 'es')),
  inQuery('recall', 'Of a sheet: 1 uses and keeps what was said about sheets with such headers', oneOf('0', '1')),
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

/** Options for reading a sheet or a map; defaults are detected. */
export const importParameters = (type: RecordTypeName): readonly Schema[] => [
  ...sheetImportParameters,
  ...ofEither,
  ...(type === 'term'
    ? [
        inQuery('vocabulary', bundle),
        inQuery('map', `${sheetMap}. ${areaMap}`),
        inQuery('tracks', 'Of GPX: what tracks become whose ends do not meet', oneOf('area', 'line')),
        inQuery('area_type', 'Of a map: the type of areas that say none'),
        inQuery('shapes', 'Of a map: whether the answer has the shape of each feature', oneOf('0', '1')),
        inQuery('far', 'Of a map: ok where it does lie far from all areas', oneOf('refused', 'ok')),
      ]
    : [inQuery('type', bundle), inQuery('map', sheetMap)]),
]

/**
 * A body with an answer of its own. The answer is described with the body and not as an alternative, so that typed
 * clients still get a record for a record.
 */
const answeredWith = (answer: string, body: Schema): Schema => ({
  schema: { ...body, $defs: { answer: schemaRef(answer) } },
})

/** Bodies other than a record: a sheet, and for terms a map, whose features become areas. */
export const importBodies = (type: RecordTypeName): Schema => ({
  ...sheets,
  ...(type === 'term' ? maps : {}),
})

const rows = 'Rows of records, see /docs/sheets'

const sheets: Schema = Object.fromEntries(
  fileFormatNames.filter(isSheetFormat).map((name) => {
    const { mediaType, content } = fileFormats[name]
    return [mediaType, answeredWith('SheetOutcome', { ...contentSchemas[content], description: rows })]
  }),
)

const maps: Schema = Object.fromEntries(
  fileFormatNames.filter(isMapFormat).map((name) => {
    const { mediaType, content } = fileFormats[name]
    return [mediaType, answeredWith('MapImport', contentSchemas[content])]
  }),
)

export const sheetImportDescription: DoorDescription = { schemas: sheetImportSchemas }
