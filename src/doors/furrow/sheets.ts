import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { shown } from '../../fields/place.ts'
import { isoTime } from '../../fields/time-zone.ts'
import { csvRow } from '../../formats/csv/write-csv.ts'
import { readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import { sheetOptionsIn } from '../../sheets/import/import-options.ts'
import { countsOf, detectedFormat, rowResults } from '../../sheets/import/import-outcome.ts'
import { checkSheet, importRows, refuseFaulty, rowsToWrite } from '../../sheets/import/import-sheet.ts'
import { openSheet } from '../../sheets/import/open-sheet.ts'
import { sourceOf } from '../../sheets/import/sheet-source.ts'
import { sheetOfRecords, sheetTemplate } from '../../sheets/sheet-of-records.ts'
import { aboutTheList, sheetQueryIn } from '../../sheets/sheet-query.ts'
import { headOf, type SheetLines } from '../../sheets/write-sheet.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import { listedOf, type ShortList, shortLists } from '../../wire-1x/short-lists.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { bytesOf } from '../http/body.ts'
import type { BodyImport } from '../http/body-import.ts'
import { callerOf } from '../http/caller.ts'
import { deliver, withEtag } from '../http/etags.ts'
import { carryOut } from '../http/idempotency.ts'
import { contentTypeOf, requirePlainBytes } from '../http/negotiation.ts'
import { sendOne } from '../http/record-answers.ts'
import type { SpooledAnswers } from '../http/spooled-answers.ts'
import { csvHeaders } from './answers.ts'

/** Lists of records as sheets, and empty sheets to fill in (docs/sheets.md). */
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

async function* textOf(lines: AsyncIterable<SheetLines>): AsyncGenerator<string> {
  for await (const { text } of lines) yield text
}

/** Makes and changes records by the rows of a sheet. */
export const sheetImport: BodyImport = {
  isSentBy: (request) => contentTypeOf(request).type === 'text/csv',
  async take({ installation, type }, request, reply) {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'write-records')
    // What is said of its rows tells of other records.
    requireRight(caller, 'read-records')
    const entries = readQuery(request.url)
    refuseAsOf(entries)
    const options = sheetOptionsIn(entries)
    const source = await sourceOf(sheetBytes(request), options.separator)
    const opened = await openSheet(installation, { type, options, source })
    const checked = await checkSheet({ installation, caller, opened })
    const rows = await rowsToWrite(checked.opened)
    const base = baseAddressOf(request, installation)
    const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
      refuseFaulty(checked)
      const written = await importRows(work, checked, rows)
      const told = await rowResults(work.tx, checked.opened, { written, base })
      const answer = {
        counts: countsOf(checked.opened, written.values()),
        found: detectedFormat(checked.opened),
        rows: told,
      }
      return { status: 200, headers: {}, json: JSON.stringify(answer) }
    })
    return sendOne(request, reply, { root: 'sheet', json })
  },
}

/** What a client says of the letters is mostly a habit: the bytes themselves tell. */
const charsets: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'windows-1252', 'iso-8859-1']

function sheetBytes(request: FastifyRequest): Buffer {
  const { charset } = contentTypeOf(request)
  if (!charsets.includes(charset))
    throw new Refusal('unsupported-media-type', `The charset "${charset}" is not understood: send UTF-8.`)
  requirePlainBytes(request)
  return bytesOf(request)
}

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  name: 'Name',
  mail: 'Mail address',
  machine_name: 'Machine name',
  description: 'Description',
}

/** A short list as a sheet: nothing in it refers to anything. */
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
