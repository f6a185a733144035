import { withheldProducts } from '../../../farm/bundle-names.ts'
import type { Farm, ReportName } from '../../../farm/farm.ts'
import {
  historyGroupings,
  historyReport,
  type ReportGrouping,
  reportGroupings,
  reportNames,
} from '../../../reports/report-names.ts'
import { unitSystems } from '../../../reports/units.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  day,
  described,
  idRef,
  ifNoneMatch,
  inQuery,
  listOf,
  nullable,
  objectOf,
  operation,
  type Paths,
  type Properties,
  refusedOften,
  type Schema,
  schemaRef,
  text,
  textOf,
  unchanged,
  webAddress,
  yesOrNo,
} from '../../http/openapi.ts'
import { logFilterParameters } from '../../http/record-parameters.ts'
import { paperHead, registerPaths, registerSchemas, sheetPaths } from './register-description.ts'

const days = [
  inQuery('from', 'The first day, by the clocks of the farm; the first of the year unless said otherwise', day),
  inQuery('to', 'The last day, which counts too; today unless said otherwise', day),
]

const shapes = inQuery('shapes', 'Whether places are told, with their shapes as they are drawn today', {
  type: 'string',
  enum: ['0', '1'],
})

const units = inQuery('units', 'Which units amounts are told in; those of the farm unless said otherwise', {
  type: 'string',
  enum: unitSystems,
})

const groupParameter = (report: ReportName): Schema =>
  inQuery(
    'group',
    `What the lines tell apart, with commas between; ${reportGroupings[report][0]} unless said otherwise`,
    {
      type: 'string',
      pattern: `^(${reportGroupings[report].join('|')})(,(${reportGroupings[report].join('|')}))*$`,
    },
  )

const titles: Readonly<Record<ReportName, readonly [string, string]>> = {
  harvest: ['Harvest', 'What was harvested, and how much'],
  inputs: ['Inputs', 'What was put on and given, and how much'],
}

function historyPaths(farm: Farm): Paths {
  const area = inQuery('area', 'Of which area', idRef)
  const group = inQuery('group', 'What the lines tell apart', {
    type: 'string',
    enum: historyGroupings,
    default: historyGroupings[0],
  })
  const filters = logFilterParameters(farm).filter(({ $ref }) => !String($ref).endsWith('/log_area'))
  const parameters = [{ ...area, required: true }, ...days, group, ...filters, ifNoneMatch]
  const summary = 'What was in an area, from when until when, and what was done there'
  return {
    [`/reports/${historyReport}.json`]: {
      get: operation({
        id: 'reportFieldHistory',
        summary,
        tag: 'reports',
        parameters: [...parameters, shapes],
        responses: {
          '200': answer('The history', 'json', schemaRef('FieldHistory')),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
    ...sheetPaths(historyReport, { word: 'FieldHistory', summary, parameters, rows: 'A row per stay, then per log' }),
  }
}

function reportPaths(farm: Farm): Paths {
  const paths: Paths = { ...historyPaths(farm), ...registerPaths(farm) }
  for (const report of reportNames) {
    const [word, summary] = titles[report]
    const parameters = [...days, groupParameter(report), units, ...logFilterParameters(farm), ifNoneMatch]
    paths[`/reports/${report}.json`] = {
      get: operation({
        id: `report${word}`,
        summary,
        tag: 'reports',
        parameters: [...parameters, shapes],
        responses: { '200': answer('The report', 'json', schemaRef('Report')), '304': unchanged, ...refusedOften },
      }),
    }
    Object.assign(paths, sheetPaths(report, { word, summary, parameters, rows: 'A row for each amount' }))
  }
  return paths
}

/** Where shapes are asked for, it has the places, too. */
const withPlaces = <const P extends Properties>(properties: P) =>
  objectOf<P & { readonly places: typeof places }, keyof P & string>({
    properties: { ...properties, places },
    required: Object.keys(properties),
  })

const named = completeObject({ id: idRef, name: text })
const typed = completeObject({ type: text, label: text })
const figureSchema = completeObject({
  count: { type: 'integer', minimum: 0, description: 'How many logs' },
  list: { ...webAddress, description: 'The address that lists them' },
})

export type FigureDocument = DocumentOf<typeof figureSchema>

const figure = schemaRef<FigureDocument>('ReportFigure')

const places = described(
  'Only with `shapes=1`: the areas that it names and those they lie in, as far as they are drawn',
  {
    ...listOf(
      completeObject({
        id: idRef,
        name: text,
        type: text,
        shapes: described('Well-known text', listOf(text)),
        named: described('Whether the report names it', yesOrNo),
      }),
    ),
  },
)

const amount = {
  measure: described('Empty where none is said', text),
  label: text,
  value: described('To three places; null where values of that measure make no sum', nullable(text)),
  unit: text,
  rounded: described('Whether it has more places than are shown', yesOrNo),
  joined: described('How much was written in which unit, and by what it was multiplied', {
    ...listOf(
      completeObject({
        unit: text,
        value: text,
        counted: described('How much it counts as, in the unit of the sum', text),
        factor: described('A fraction: 1/1000', text),
      }),
    ),
  }),
  logs: figure,
} as const

const yieldSchema = completeObject({ value: text, unit: described('Such as kg/m²', text), square_metres: text })
const crops = listOf(completeObject({ id: idRef, name: text, parent: nullable(named) }))

const week = completeObject({ monday: day, value: nullable(text), logs: figure })

const historySchema = withPlaces({
  report: { type: 'string', const: historyReport },
  area: named,
  from: day,
  to: day,
  time_zone: text,
  head: paperHead,
  group: { type: 'string', enum: historyGroupings },
  logs: figure,
  lines: listOf(completeObject({ log_types: listOf(typed), crops, assets: listOf(named), logs: figure })),
  stays: described('What was there', {
    ...listOf(
      completeObject({
        asset: named,
        asset_type: text,
        crops,
        from: day,
        until: described('Null while it lasts', nullable(day)),
        log: described('The log that says so', idRef),
        list: webAddress,
      }),
    ),
  }),
  done: described('What was done', {
    ...listOf(
      completeObject({
        id: idRef,
        name: text,
        type: text,
        label: text,
        day,
        entered: described('The day of a late entry; else null', nullable(day)),
        crops,
        assets: listOf(named),
        materials: listOf(named),
        amounts: listOf(completeObject({ measure: text, label: text, value: text, unit: text })),
        list: webAddress,
      }),
    ),
  }),
})

export type HistoryDocument = DocumentOf<typeof historySchema>

const sumsSchema = withPlaces({
  report: { type: 'string', enum: reportNames },
  from: day,
  to: day,
  time_zone: text,
  units: { type: 'string', enum: unitSystems },
  head: paperHead,
  group: described('What the lines tell apart', listOf(textOf<ReportGrouping>())),
  logs: figure,
  no_lot: described('Without a lot number', { allOf: [figure] }),
  no_amount: described('Without any quantity that has a value', { allOf: [figure] }),
  lines: listOf(
    completeObject({
      crops,
      materials: listOf(named),
      asset_types: listOf(typed),
      log_types: listOf(typed),
      assets: listOf(named),
      herds: described('Groups that were harvested, or whose animals were', listOf(named)),
      areas: listOf(named),
      logs: figure,
      no_lot: figure,
      amounts: listOf(
        completeObject({
          ...amount,
          product: described('What animals gave, by the unit, where no label says it', {
            ...nullable({ type: 'string', enum: ['milk', 'eggs'] } as const),
          }),
          yield: described('Null where a planting has no size, or a log names several or none', nullable(yieldSchema)),
          weeks: listOf(week),
        }),
      ),
    }),
  ),
  yields: described('What came from one planting alone that has a size', {
    ...listOf(completeObject({ planting: named, crops, ...amount, yield: yieldSchema })),
  }),
  withholding: described('What is withheld now after these treatments', {
    ...listOf(
      completeObject({
        id: idRef,
        name: text,
        product: described('As withheld of an asset has it', {
          type: 'string',
          enum: [...withheldProducts, 'all'],
        } as const),
        until: day,
        assets: listOf(named),
        list: webAddress,
      }),
    ),
  }),
})

export type SumsDocument = DocumentOf<typeof sumsSchema>

export const reportDescription = (farm: Farm): DoorDescription => ({
  paths: reportPaths(farm),
  schemas: { ReportFigure: figureSchema, FieldHistory: historySchema, Report: sumsSchema, ...registerSchemas },
})
