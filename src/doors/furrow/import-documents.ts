import { resourceNames } from '../../farm/resource-names.ts'
import { csvEncodings } from '../../formats/csv/read-csv.ts'
import { fileFormatNames, isSheetFormat } from '../../formats/file-formats.ts'
import { matchKeys } from '../../sheets/import/import-options.ts'
import {
  arrayOf,
  completeObject,
  type DocumentOf,
  described,
  idRef,
  listOf,
  nullable,
  objectOf,
  schemaRef,
  text,
  uuidRef,
} from '../http/openapi.ts'

const whole = { type: 'integer', minimum: 0 } as const
const row = { type: 'integer', minimum: 1, description: 'As a spreadsheet counts them' } as const

const faultSchema = objectOf({
  properties: {
    column: { ...text, description: 'The header, or the name of a field that has no column' },
    value: { ...text, description: 'What the cell says' },
    message: text,
    allowed: { type: 'array', items: text },
  },
  required: ['column', 'value', 'message'],
})

const rowSchema = objectOf({
  properties: {
    row,
    place: described(
      'Where it stands, if its number is another: on one of several sheets, or in a cell of a grid',
      text,
    ),
    to_row: { ...row, description: 'The last row, where several are about one record' },
    result: { ...text, enum: ['created', 'changed', 'unchanged', 'recorded', 'fault'] },
    removed: described('Of a row that was recorded before: its record was removed since', { const: true } as const),
    id: idRef,
    uuid: uuidRef,
    uri: { ...text, format: 'uri' },
    resource: text,
    faults: { type: 'array', items: faultSchema },
  },
  required: ['row', 'result'],
})

const leftOut = described(
  'What was not taken over, and how often it was there',
  listOf(completeObject({ what: text, count: whole })),
)

const formatProperties = {
  format: { ...text, enum: fileFormatNames.filter(isSheetFormat) },
  head_row: described('0 where the sheet has no headers', whole),
  match: nullable({ ...text, enum: matchKeys }),
  timezone: text,
  columns: {
    type: 'array',
    items: objectOf({
      properties: {
        column: text,
        field: text,
        because: described('Why it is taken for that, where it is not called like a field', {
          ...text,
          enum: ['said', 'synonym', 'content'],
        } as const),
        taken: { const: false, description: 'What the farm works out or notes itself is not looked at' },
        decimal: { ...text, enum: ['.', ','] },
        dates: { ...text, enum: ['dmy', 'mdy', 'ymd'] },
      },
      required: ['column', 'field'],
    }),
  },
} as const

const formatSchema = objectOf({
  properties: {
    ...formatProperties,
    encoding: described('Of CSV', { ...text, enum: csvEncodings }),
    separator: described('Of CSV', { ...text, enum: ['comma', 'semicolon', 'tab'] } as const),
    sheet: described('Of a workbook: the sheet that was read', text),
    sheets: described('Of a workbook: all its sheets', listOf(text)),
    alike: described('Of a workbook: sheets with the same headers, which sheet=* reads together', listOf(text)),
    together: described('They were read together', { const: true } as const),
    left_out: leftOut,
    remembered: described(
      'With recall=1: the sheet was recognised by its headers, and these are new in it',
      completeObject({ new_columns: listOf(text) }),
    ),
    notes: described(
      'What was done to the rows of a book before they were read',
      listOf(
        objectOf({
          properties: {
            what: { ...text, enum: ['title', 'totals', 'hidden', 'filled', 'year', 'grid', 'month'] } as const,
            column: text,
            count: whole,
            rows: described('The first of them', listOf(row)),
          },
          required: ['what', 'count', 'rows'],
        }),
      ),
    ),
  },
  required: ['format', 'head_row', 'match', 'timezone', 'columns'],
})

const shownSchema = described(
  'The headers, the first rows, and the first of those with faults, as they stand in the sheet',
  listOf(objectOf({ properties: { row: whole, place: text, cells: listOf(text) }, required: ['row', 'cells'] })),
)

const animalSchema = completeObject({ id: idRef, uuid: uuidRef, uri: text, resource: text, name: text })

const outcomeProperties = {
  counts: objectOf({
    properties: {
      ...{ created: whole, changed: whole, unchanged: whole, fault: whole },
      done: { ...whole, description: 'New logs that are done' },
      recorded: { ...whole, description: 'With again=0: rows that were recorded before' },
      planned: { ...whole, description: 'New logs that are planned' },
    },
    required: ['created', 'changed', 'unchanged', 'fault'],
  }),
  summary: described(
    'What new records are about: how many are of which type, their years, how many crops they name, how many plantings are made for these',
    completeObject({
      types: { type: 'object', additionalProperties: whole } as const,
      years: listOf(text),
      crops: whole,
      plantings: whole,
    }),
  ),
  found: schemaRef<DocumentOf<typeof formatSchema>>('SheetFound'),
  shown: schemaRef<DocumentOf<typeof shownSchema>>('SheetShown'),
  rows: arrayOf(schemaRef<DocumentOf<typeof rowSchema>>('SheetRow')),
} as const

const outcomeSchema = objectOf({
  properties: {
    ...outcomeProperties,
    not_in_sheet: described(
      'Of a register of animals: those of the farm that it does not name. Nothing becomes of them',
      completeObject({ count: whole, animals: described('The first of them', listOf(animalSchema)) }),
    ),
  },
  required: ['counts', 'summary', 'found', 'shown', 'rows'],
})

export type SheetImportDocument = DocumentOf<typeof outcomeSchema>

const degrees = { type: 'number' } as const

const outcome = {
  result: { type: 'string', enum: ['created', 'changed', 'unchanged', 'fault'] },
  name: text,
  named: described('The map has no name for it: it was given one', { const: true }),
  uri: text,
  id: idRef,
  resource: { type: 'string', const: resourceNames.term },
  uuid: uuidRef,
  faults: described(
    'With on_fault=skip: why it was not taken',
    listOf(
      objectOf({
        properties: { field: text, message: text, allowed: listOf(text) },
        required: ['field', 'message'],
      }),
    ),
  ),
} as const

const mapImportProperties = {
  counts: objectOf({
    properties: { created: whole, changed: whole, unchanged: whole, fault: whole },
    required: ['created', 'changed', 'unchanged'],
  }),
  where: described(
    'The rectangle that it lies in; null where nothing has a shape',
    nullable(completeObject({ west: degrees, south: degrees, east: degrees, north: degrees })),
  ),
  left_out: leftOut,
  features: described(
    'What each feature has become, and each area that was made because features lie in it',
    listOf(
      objectOf({
        properties: {
          feature: whole,
          parent: text,
          ...outcome,
          namesake: described('The one area that has this name already: match=name updates it', idRef),
          shape: described('With shapes=1: its shape, as WKT', text),
        },
        required: ['result', 'name'],
      }),
    ),
  ),
} as const

const mapImportSchema = objectOf({
  properties: {
    ...mapImportProperties,
    shapes: described(
      'With shapes=1: how many shapes are in the answer, and how many are beyond its limits',
      completeObject({ shown: whole, not_shown: whole }),
    ),
  },
  required: ['counts', 'where', 'left_out', 'features'],
})

export type MapImportDocument = DocumentOf<typeof mapImportSchema>

export const mapImportSchemas = { MapImport: mapImportSchema }

export const sheetImportSchemas = {
  SheetOutcome: outcomeSchema,
  SheetFound: formatSchema,
  SheetRow: rowSchema,
  SheetShown: shownSchema,
}
