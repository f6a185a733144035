import type { Farm } from '../../../farm/farm.ts'
import { fileFormatNames, fileFormats, isSheetFormat } from '../../../formats/file-formats.ts'
import {
  inspectionReport,
  type RegisterColumn,
  type RegisterName,
  registerColumns,
  registerNames,
} from '../../../reports/report-names.ts'
import type { Schema } from '../../http/openapi.ts'
import {
  answer,
  answerAs,
  completeObject,
  contentSchemas,
  type DocumentOf,
  day,
  described,
  idRef,
  ifNoneMatch,
  inQuery,
  languageOfLabels,
  listOf,
  nullable,
  objectOf,
  operation,
  type Paths,
  parameterRef,
  refusedOften,
  schemaRef,
  text,
  textOf,
  unchanged,
  webAddress,
  yesOrNo,
} from '../../http/openapi.ts'
import { logFilterParameters } from '../../http/record-parameters.ts'

const count = { type: 'integer', minimum: 0 } as const
const column = { type: 'string', enum: [...new Set(Object.values(registerColumns).flat())] } as const

export const paperHead = described(
  'The head of the paper, from the settings of the farm',
  completeObject({ farm: text, address: text, holding_numbers: text, certifier: text, certifier_number: text }),
)

const registerSchema = completeObject({
  report: { type: 'string', enum: registerNames },
  from: day,
  to: day,
  time_zone: text,
  language: text,
  head: paperHead,
  columns: listOf(completeObject({ name: textOf<RegisterColumn>(), label: text })),
  logs: completeObject({ count, list: webAddress }),
  missing: described('Columns that lines should have and do not', {
    ...listOf(completeObject({ column, label: text, count: described('How many lines', count), list: webAddress })),
  }),
  rows: listOf(
    completeObject({
      cells: described('By column; days as 2026-05-01', { type: 'object', additionalProperties: text } as const),
      logs: listOf(idRef),
      missing: listOf(text),
      list: described('Null where no log says so, or too many do', nullable(webAddress)),
    }),
  ),
  sums: described('By product, or by species', {
    ...listOf(completeObject({ of: text, amount: text, size: text, rate: text, count })),
  }),
})

/** A register, as JSON has it. */
export type RegisterDocument = DocumentOf<typeof registerSchema>

const missingKinds = ['harvest-lot', 'input-amount', 'treatment-withholding', 'seed-source'] as const

const inspectionSchema = completeObject({
  report: { type: 'string', const: inspectionReport },
  from: day,
  to: day,
  time_zone: text,
  language: text,
  head: paperHead,
  missing: described('What an inspector would ask for', {
    ...listOf(completeObject({ what: { type: 'string', enum: missingKinds } as const, count, list: webAddress })),
  }),
  registers: listOf(schemaRef<RegisterDocument>('Register')),
  places: described('The areas as they are drawn today', {
    ...listOf(completeObject({ id: idRef, name: text, type: text, shapes: listOf(text), named: yesOrNo })),
  }),
  photos: described('Photos of these logs, the newest 200; in a link the chosen ones', {
    ...listOf(
      objectOf({
        properties: {
          id: described('Of the file', idRef),
          log: idRef,
          name: described('Of the log', text),
          day,
          chosen: yesOrNo,
          address: described('Not in a link', webAddress),
          data: described('Only in a link: a data URI, without metadata', text),
        },
        required: ['id', 'log', 'name', 'day', 'chosen'],
      }),
    ),
  }),
})

/** All registers of a period, as JSON has them. */
export type InspectionDocument = DocumentOf<typeof inspectionSchema>

const titles: Readonly<Record<RegisterName, readonly [string, string]>> = {
  'input-register': ['InputRegister', 'Every input: day, field, crop, product, amount, rate, who'],
  'medicine-book': ['MedicineBook', 'Treatments of animals: product, dose, withholding, who'],
  animals: ['Animals', 'The animals at the end of a day, and since when'],
  'comings-and-goings': ['ComingsAndGoings', 'Animals that came and went between two days'],
  'field-register': ['FieldRegister', 'Crop, size, seeding, inputs and harvest of each field'],
  'seed-register': ['SeedRegister', 'Seed that was sown: crop, lot, source, where'],
}

export const registerSchemas = { Register: registerSchema, Inspection: inspectionSchema }

export function registerPaths(farm: Farm): Paths {
  const days = [
    inQuery('from', 'The first day; the first of the year unless said otherwise', day),
    inQuery('to', 'The last day, which counts too; today unless said otherwise', day),
    inQuery('units', 'Which units sizes are told in', { type: 'string', enum: ['metric', 'us'] }),
    languageOfLabels,
  ]
  const photos = inQuery('photos', 'Which photos are chosen: numbers of files with commas between, at most 20', text)
  const paths: Paths = {
    [`/reports/${inspectionReport}.json`]: {
      get: operation({
        id: 'inspection',
        summary: 'All registers of a period, what is missing, and a map',
        tag: 'reports',
        parameters: [...days, photos, ...logFilterParameters(farm), ifNoneMatch],
        responses: {
          '200': answer('The registers', 'json', schemaRef('Inspection')),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
    [`/reports/${inspectionReport}.zip`]: {
      get: operation({
        id: 'inspectionArchive',
        summary: 'The same as print pages, sheets, a map and the chosen photos',
        tag: 'reports',
        parameters: [
          ...days,
          photos,
          inQuery('people', 'Whether people are named; no unless said otherwise', { type: 'string', enum: ['0', '1'] }),
          ...logFilterParameters(farm),
          ifNoneMatch,
        ],
        responses: {
          '200': answerAs('A ZIP archive', 'application/zip', { type: 'string', format: 'binary' }),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
  }
  for (const report of registerNames) {
    const [word, summary] = titles[report]
    const parameters = [...days, ...logFilterParameters(farm), ifNoneMatch]
    const refused = { '304': unchanged, ...refusedOften }
    paths[`/reports/${report}.json`] = {
      get: operation({
        id: `register${word}`,
        summary,
        tag: 'reports',
        parameters,
        responses: { '200': answer('The register', 'json', schemaRef('Register')), ...refused },
      }),
    }
    Object.assign(paths, sheetPaths(report, { word, summary, parameters, rows: 'A row for each line' }))
  }
  return paths
}

type ReportSheet = Readonly<Record<'word' | 'summary' | 'rows', string>> & { readonly parameters: readonly Schema[] }

/** A report as a sheet, in every format of sheets. */
export const sheetPaths = (report: string, { word, summary, parameters, rows }: ReportSheet): Paths =>
  Object.fromEntries(
    fileFormatNames.filter(isSheetFormat).map((format) => [
      `/reports/${report}.${format}`,
      {
        get: operation({
          id: `sheetOfReport${word}${format === 'csv' ? '' : `As${format}`}`,
          summary: `${summary}, as a sheet (${format})`,
          tag: 'reports',
          parameters: [...parameters, ...(format === 'csv' ? ['sheet_sep', 'sheet_bom'].map(parameterRef) : [])],
          responses: {
            '200': answerAs(rows, fileFormats[format].mediaType, contentSchemas[fileFormats[format].content]),
            '304': unchanged,
            ...refusedOften,
          },
        }),
      },
    ]),
  )
