import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Farm, RecordType } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { shown } from '../../fields/place.ts'
import { isoTime } from '../../fields/time.ts'
import { fileFormatNames, fileFormats, isSheetFormat, type SheetFormatName } from '../../formats/file-formats.ts'
import { readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { sheetOfRecords, sheetTemplate } from '../../sheets/sheet-of-records.ts'
import { aboutTheList, sheetQueryIn, sheetWords } from '../../sheets/sheet-query.ts'
import type { SheetPiece } from '../../sheets/write-sheet.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import { listedOf, type ShortList, shortLists } from '../../wire-1x/short-lists.ts'
import { languages } from '../../words/languages.ts'
import { callerOf } from '../http/caller.ts'
import {
  answerAs,
  contentSchemas,
  type DoorDescription,
  ifNoneMatch,
  inQuery,
  operation,
  type Paths,
  parameterRef,
  refusedOften,
  responseRef,
  type Schema,
  unchanged,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { deliver, type ReadyAnswer, withEtag } from '../http/record-answers.ts'
import { filterParameters, pastParameters } from '../http/record-parameters.ts'
import type { SpooledAnswers } from '../http/spooled-answers.ts'
import { sheetAnswer, sheetHeaders } from './answers.ts'

/** Lists of records as sheets, and templates (docs/sheets.md). */
export function sheetRoutes(app: FastifyInstance, installation: Records, answers: SpooledAnswers): void {
  for (const format of sheetFormats) {
    listRoutes(app, installation, { answers, format })
    shortListRoutes(app, installation, format)
  }
  for (const type of recordTypeNames) {
    app.get<{ Params: { readonly file: string } }>(`/sheets/${resourceNames[type]}/:file`, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'read-records')
      const { file } = request.params
      const format = sheetFormats.find((one) => file.endsWith(`.${one}`)) ?? 'csv'
      const bundle = file.replace(/\.(?:csv|xlsx)$/, '')
      const write = sheetTemplate(installation, { type, bundle, entries: readQuery(request.url), format })
      const body = await installation.database.read(write)
      return deliver(reply, withEtag(request, { status: 200, headers: sheetHeaders(bundle, format), body }))
    })
  }
}

const sheetFormats = fileFormatNames.filter(isSheetFormat)

interface ListRoutes {
  readonly answers: SpooledAnswers
  readonly format: SheetFormatName
}

function listRoutes(app: FastifyInstance, installation: Records, { answers, format }: ListRoutes): void {
  for (const type of recordTypeNames) {
    app.get(`/${resourceNames[type]}.${format}`, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      const base = baseAddressOf(request, installation)
      const sheet = sheetOfRecords(installation, { caller, type, base, entries: readQuery(request.url), format })
      return answers.send({
        request,
        reply,
        caller,
        async write(snapshot) {
          const { name, zone, pieces } = await sheet(snapshot)
          const today = isoTime(installation.clock(), zone).slice(0, 10)
          return { headers: sheetHeaders(`${name}-${today}`, format), pieces: bytesIn(pieces) }
        },
      })
    })
  }
}

function shortListRoutes(app: FastifyInstance, installation: Records, format: SheetFormatName): void {
  for (const [resource, listFor] of Object.entries(shortLists)) {
    app.get(`/${resource}.${format}`, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      const list = await listFor(installation, { caller, base: baseAddressOf(request, installation) })
      return deliver(reply, withEtag(request, await shortSheetOf(request, list, format)))
    })
  }
}

const parameterWords: Readonly<Record<keyof typeof sheetWords, string>> = {
  head: 'What the first row says: the names of fields, or their labels',
  refs: 'Whether others are given by name or by number',
  sep: 'What stands between the cells',
  bom: '1 puts a byte order mark in front, for spreadsheets that need one',
  times:
    'Times by the clocks of the farm with their offset, in Unix seconds, or as spreadsheets of the language show them',
  decimal: 'The decimal sign of numbers in CSV',
}

/** Parameters of sheets, under their component names. */
const sheetParameters: Readonly<Record<string, Schema>> = {
  sheet_fields: inQuery('fields', 'The columns, with commas between; uuid and version come along', { type: 'string' }),
  sheet_language: inQuery('language', 'Of labels, local times, and of what a workbook explains', {
    type: 'string',
    enum: Object.keys(languages),
  }),
  sheet_rows: inQuery('rows', 'A row for each of these parts, such as quantity', { type: 'string' }),
  ...Object.fromEntries(
    Object.entries(parameterWords).map(([name, description]) => [
      `sheet_${name}`,
      inQuery(name, description, { type: 'string', enum: sheetWords[name as keyof typeof sheetWords] }),
    ]),
  ),
}

const ofSheets = Object.keys(sheetParameters).map(parameterRef)
const sheetOf = (description: string, format: SheetFormatName): Schema =>
  answerAs(description, fileFormats[format].mediaType, contentSchemas[fileFormats[format].content])

export const sheetDescription = (farm: Farm): DoorDescription => ({
  paths: sheetPaths(farm),
  parameters: sheetParameters,
})

const sheetPaths = (farm: Farm): Paths =>
  Object.assign(
    {},
    ...sheetFormats.flatMap((format) => [
      ...recordTypeNames.map((name) => pathsOf(farm, farm.records[name], format)),
      shortSheet(`/${resourceNames.vocabulary}`, { title: 'Vocabularies', listed: 'the vocabularies', format }),
      shortSheet(`/${resourceNames.user}`, { title: 'Users', listed: 'who can be named', format }),
    ]),
  )

/** CSV was there first: the names of its operations are known. */
const operationId = (name: string, format: SheetFormatName): string => (format === 'csv' ? name : `${name}As${format}`)

const titles: Readonly<Record<(typeof recordTypeNames)[number], string>> = {
  log: 'Logs',
  asset: 'Assets',
  term: 'Terms',
}

function pathsOf(farm: Farm, type: RecordType, format: SheetFormatName): Paths {
  const name = resourceNames[type.name]
  const title = titles[type.name as keyof typeof titles]
  const sorting = ['sort', 'direction'].map(parameterRef)
  const list = operation({
    id: operationId(`sheetOf${title}`, format),
    summary: `All ${title.toLowerCase()} that match, as a sheet (${format})`,
    tag: name,
    parameters: [...ofSheets, ...sorting, ...filterParameters(farm, type), ...pastParameters(type), ifNoneMatch],
    responses: { '200': sheetOf('A row for each', format), '304': unchanged, ...refusedOften },
  })
  const template = operation({
    id: operationId(`templateOf${title}`, format),
    summary: `An empty sheet to fill in (${format})`,
    tag: name,
    parameters: [...ofSheets, ifNoneMatch],
    responses: {
      '200': sheetOf('The first row', format),
      '304': unchanged,
      '404': responseRef('NotFound'),
      ...refusedOften,
    },
  })
  const parameter = {
    name: 'type',
    in: 'path',
    required: true,
    schema: { type: 'string', enum: Object.keys(type.bundles) },
  }
  return {
    [`/${name}.${format}`]: { get: list },
    [`/sheets/${name}/{type}.${format}`]: { parameters: [parameter], get: template },
  }
}

interface ShortSheet {
  readonly title: string
  readonly listed: string
  readonly format: SheetFormatName
}

const shortSheet = (path: string, { title, listed, format }: ShortSheet): Paths => ({
  [`${path}.${format}`]: {
    get: operation({
      id: operationId(`sheetOf${title}`, format),
      summary: `List ${listed}, as a sheet (${format})`,
      tag: 'farm',
      parameters: [...ofSheets, ifNoneMatch],
      responses: { '200': sheetOf('A row for each', format), '304': unchanged, ...refusedOften },
    }),
  },
})

async function* bytesIn(pieces: AsyncIterable<SheetPiece>): AsyncGenerator<string | Buffer> {
  for await (const { bytes } of pieces) yield bytes
}

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  name: 'Name',
  mail: 'Mail address',
  machine_name: 'Machine name',
  description: 'Description',
}

/** A short list as a sheet: nothing in it refers to anything. */
function shortSheetOf(request: FastifyRequest, list: ShortList, format: SheetFormatName): Promise<ReadyAnswer> {
  const entries = readQuery(request.url)
  refuseAsOf(entries)
  const { fields, ...layout } = sheetQueryIn(entries)
  if (layout.rows !== undefined) throw badQuery('rows', 'nothing here has several parts')
  const names = Object.keys(labels).filter((name) => list.all.some((one) => name in one))
  const unknown = fields?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw badQuery('fields', `there is no column ${shown(unknown)}`, names)
  const columns = (fields ?? names).map((name) => ({ name, label: labels[name] ?? name }))
  const rows = listedOf(list, aboutTheList(entries)).map((one) => columns.map(({ name }) => String(one[name] ?? '')))
  const head = columns.map((column) => column[layout.head])
  return sheetAnswer([head, ...rows], { name: resourceNames[list.type], layout, format })
}
