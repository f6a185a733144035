import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Farm, RecordType } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { shown } from '../../fields/place.ts'
import { isoTime } from '../../fields/time.ts'
import { csvRow } from '../../formats/csv/write-csv.ts'
import { fileFormats } from '../../formats/file-formats.ts'
import { readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { sheetOfRecords, sheetTemplate } from '../../sheets/sheet-of-records.ts'
import { aboutTheList, sheetQueryIn, sheetWords } from '../../sheets/sheet-query.ts'
import { headOf, type SheetLines } from '../../sheets/write-sheet.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import { listedOf, type ShortList, shortLists } from '../../wire-1x/short-lists.ts'
import { callerOf } from '../http/caller.ts'
import {
  answerAs,
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
import { deliver, withEtag } from '../http/record-answers.ts'
import { filterParameters, pastParameters } from '../http/record-parameters.ts'
import type { SpooledAnswers } from '../http/spooled-answers.ts'
import { csvHeaders } from './answers.ts'

/** Lists of records as sheets, and templates (docs/sheets.md). */
export function sheetRoutes(app: FastifyInstance, installation: Records, answers: SpooledAnswers): void {
  for (const type of recordTypeNames) {
    app.get(`/${resourceNames[type]}.csv`, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      const base = baseAddressOf(request, installation)
      const sheet = sheetOfRecords(installation, { caller, type, base, entries: readQuery(request.url) })
      return answers.send({
        request,
        reply,
        caller,
        async write(snapshot) {
          const { name, zone, lines } = await sheet(snapshot)
          const today = isoTime(installation.clock(), zone).slice(0, 10)
          return { headers: csvHeaders(`${name}-${today}`), pieces: textOf(lines) }
        },
      })
    })
    app.get<{ Params: { readonly file: string } }>(`/sheets/${resourceNames[type]}/:file`, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'read-records')
      const bundle = request.params.file.replace(/\.csv$/, '')
      const write = sheetTemplate(installation, { type, bundle, entries: readQuery(request.url) })
      const body = await installation.database.read(write)
      return deliver(reply, withEtag(request, { status: 200, headers: csvHeaders(bundle), body }))
    })
  }
  for (const [resource, listFor] of Object.entries(shortLists)) {
    app.get(`/${resource}.csv`, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      const list = await listFor(installation, { caller, base: baseAddressOf(request, installation) })
      return sendShortSheet(request, reply, list)
    })
  }
}

const parameterWords: Readonly<Record<keyof typeof sheetWords, string>> = {
  head: 'What the first row says: the names of fields, or their labels',
  refs: 'Whether others are given by name or by number',
  sep: 'What stands between the cells',
  bom: '1 puts a byte order mark in front, for spreadsheets that need one',
  times: 'Times by the clocks of the farm, or in Unix seconds',
}

/** Parameters of sheets, under their component names. */
const sheetParameters: Readonly<Record<string, Schema>> = {
  sheet_fields: inQuery('fields', 'The columns, with commas between; uuid and version come along', { type: 'string' }),
  sheet_rows: inQuery('rows', 'A row for each of these parts, such as quantity', { type: 'string' }),
  ...Object.fromEntries(
    Object.entries(parameterWords).map(([name, description]) => [
      `sheet_${name}`,
      inQuery(name, description, { type: 'string', enum: sheetWords[name as keyof typeof sheetWords] }),
    ]),
  ),
}

const ofSheets = Object.keys(sheetParameters).map(parameterRef)
const csv = (description: string): Schema => answerAs(description, fileFormats.csv.mediaType, { type: 'string' })

export const sheetDescription = (farm: Farm): DoorDescription => ({
  paths: sheetPaths(farm),
  parameters: sheetParameters,
})

const sheetPaths = (farm: Farm): Paths => ({
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

async function* textOf(lines: AsyncIterable<SheetLines>): AsyncGenerator<string> {
  for await (const { text } of lines) yield text
}

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  name: 'Name',
  mail: 'Mail address',
  machine_name: 'Machine name',
  description: 'Description',
}

/** A short list as a sheet, without references. */
function sendShortSheet(request: FastifyRequest, reply: FastifyReply, list: ShortList): FastifyReply {
  const entries = readQuery(request.url)
  refuseAsOf(entries)
  const { fields, ...layout } = sheetQueryIn(entries)
  if (layout.rows !== undefined) throw badQuery('rows', 'nothing here has several parts')
  const names = Object.keys(labels).filter((name) => list.all.some((one) => name in one))
  const unknown = fields?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw badQuery('fields', `there is no column ${shown(unknown)}`, names)
  const columns = (fields ?? names).map((name) => ({ name, label: labels[name] ?? name }))
  const rows = listedOf(list, aboutTheList(entries)).map((one) =>
    csvRow(
      columns.map(({ name }) => String(one[name] ?? '')),
      layout.separator,
    ),
  )
  const body = headOf({ ...layout, columns }) + rows.join('')
  return deliver(reply, withEtag(request, { status: 200, headers: csvHeaders(resourceNames[list.type]), body }))
}
