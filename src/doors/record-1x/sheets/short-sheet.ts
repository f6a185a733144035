import type { FastifyReply, FastifyRequest } from 'fastify'
import { resourceNames } from '../../../farm/resource-names.ts'
import { shown } from '../../../fields/place.ts'
import { csvRow } from '../../../formats/csv/write-csv.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { deliver, tagged } from '../../http/answers/ready-answer.ts'
import { readQuery } from '../../http/query.ts'
import { refuseAsOf } from '../intake/as-of.ts'
import { listedOf, type ShortList } from '../short-list.ts'
import { headOf } from './sheet.ts'
import { csvHeaders } from './sheet-headers.ts'
import { aboutTheList, sheetAskedIn } from './sheet-query.ts'

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  name: 'Name',
  mail: 'Mail address',
  machine_name: 'Machine name',
  description: 'Description',
}

/** A short list as a sheet: nothing in it refers to anything. */
export function sendShortSheet(request: FastifyRequest, reply: FastifyReply, list: ShortList): FastifyReply {
  const entries = readQuery(request.url)
  refuseAsOf(entries)
  const { fields, ...layout } = sheetAskedIn(entries)
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
  return deliver(reply, tagged(request, { status: 200, headers: csvHeaders(resourceNames[list.type]), body }))
}
