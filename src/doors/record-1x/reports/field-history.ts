import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { readEdition, requireEdition } from '../../../storage/edition.ts'
import { readTimezone } from '../../../storage/settings.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { deliver, type ReadyAnswer, tagged } from '../../http/answers/ready-answer.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { limits } from '../../http/limits.ts'
import { Places } from '../../http/places.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { layoutIn } from '../sheets/sheet-query.ts'
import { history } from './figure.ts'
import { historyDocument, historySheet } from './history-document.ts'
import { csvAnswer, jsonAnswer } from './report-answer.ts'
import { daysAsked, filtersOfReport, parametersOf } from './report-query.ts'
import { toldHistory } from './told-history.ts'

/** What was in an area, and what was done there (docs/reports.md). */
export function fieldHistoryRoutes(app: FastifyInstance, installation: Records): void {
  const places = new Places(limits.reportsAtOnce)
  for (const format of ['json', 'csv'] as const) {
    app.get(`/reports/${history}.${format}`, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'read-records')
      const entries = readQuery(request.url)
      const asking = { request, entries, filters: filtersOfReport(entries, parametersOf[history][format]), format }
      const answer = await places.whileInside(() =>
        installation.database.read(
          (snapshot) => answerIn(snapshot, installation, asking),
          readBudgetOf(request, installation),
        ),
      )
      return deliver(reply, tagged(request, answer))
    })
  }
}

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
  const layout = format === 'csv' ? layoutIn(entries) : undefined
  const asking = { base: baseAddressOf(request, installation), entries, filters, days, zone, now }
  const { told, telling, places } = await toldHistory(snapshot, installation, asking)
  if (layout === undefined) return jsonAnswer(historyDocument(told, telling, places))
  return csvAnswer(historySheet(told, telling), { name: `${history}-${days.firstDay}-${days.lastDay}`, layout })
}
