import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { badQuery } from '../../../records/finding/bad-query.ts'
import type { Records } from '../../../records/records.ts'
import { fieldHistory, historyGroupings } from '../../../reports/field-history.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { readEdition, requireEdition } from '../../../storage/edition.ts'
import { readTimezone } from '../../../storage/settings.ts'
import { deliver, type ReadyAnswer, tagged } from '../../http/answers/ready-answer.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { limits } from '../../http/limits.ts'
import { Places } from '../../http/places.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { filtersIn } from '../intake/filters.ts'
import { parameter } from '../intake/paging.ts'
import { typeAsked } from '../intake/type-asked.ts'
import { layoutIn } from '../sheets/sheet-query.ts'
import { addressesOfHistory, history } from './figure.ts'
import { filterTextOf } from './filter-text.ts'
import { historyDocument, historySheet } from './history-document.ts'
import { csvAnswer, jsonAnswer } from './report-answer.ts'
import { daysAsked, filtersOfReport, groupsAsked } from './report-query.ts'

/** What was in an area, and what was done there (docs/reports.md). */
export function fieldHistoryRoutes(app: FastifyInstance, installation: Records): void {
  const places = new Places(limits.reportsAtOnce)
  for (const format of ['json', 'csv'] as const) {
    app.get(`/reports/${history}.${format}`, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'read-records')
      const entries = readQuery(request.url)
      const asking = { request, entries, filters: filtersOfReport(entries, parameters[format]), format }
      const answer = await places.whileInside(() =>
        installation.database.read((snapshot) => answerIn(snapshot, installation, asking)),
      )
      return deliver(reply, tagged(request, answer))
    })
  }
}

const parameters = {
  json: ['area', 'from', 'to', 'group'],
  csv: ['area', 'from', 'to', 'group', 'sep', 'bom'],
} as const

interface Asking {
  readonly request: FastifyRequest
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly format: 'json' | 'csv'
}

async function answerIn(
  snapshot: Snapshot,
  installation: Records,
  { request, entries, filters, format }: Asking,
): Promise<ReadyAnswer> {
  requireEdition(installation, await readEdition(snapshot))
  const zone = await readTimezone(snapshot)
  const now = installation.clock()
  const days = daysAsked(entries, { now, zone })
  const area = areaAsked(entries)
  const [group = 'type', another] = groupsAsked(entries, historyGroupings)
  if (another !== undefined) throw badQuery('group', 'takes one of these', historyGroupings)
  const layout = format === 'csv' ? layoutIn(entries) : undefined
  const type = await typeAsked(snapshot, installation.farm, { type: 'log', entries: filters })
  const asked = { from: days.from, to: days.to, filters: filtersIn(installation, type, filters) }
  const told = await fieldHistory(snapshot, installation, { area, group, asked })
  if (told === undefined) throw badQuery('area', `there is no area ${area}`)
  const list = `${baseAddressOf(request, installation)}/${resourceNames.log}.json`
  const telling = {
    farm: installation.farm,
    days,
    zone,
    now,
    group,
    address: addressesOfHistory(`${list}?${filterTextOf(filters)}`, { area, group, from: days.from, to: days.to }),
    oneLog: (id: number) => `${list}?id=${id}`,
  }
  if (layout === undefined) return jsonAnswer(historyDocument(told, telling))
  return csvAnswer(historySheet(told, telling), { name: `${history}-${days.firstDay}-${days.lastDay}`, layout })
}

function areaAsked(entries: readonly QueryEntry[]): number {
  const given = parameter(entries, 'area')
  if (given === undefined || given === '') throw badQuery('area', 'say of which area, by its id')
  const area = wholeNumber(given)
  if (area === undefined || area <= 0) throw badQuery('area', `${JSON.stringify(given)} is not an id`)
  return area
}
