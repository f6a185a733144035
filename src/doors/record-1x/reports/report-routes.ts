import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { ReportName } from '../../../farm/farm.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { requireEdition } from '../../../storage/edition.ts'
import { farmState, wordOf } from '../../../storage/farm-state.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { readFarmSettings } from '../../../storage/settings.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { deliver, type ReadyAnswer, tagged } from '../../http/answers/ready-answer.ts'
import { SnapshotCache } from '../../http/answers/snapshot-cache.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { limits } from '../../http/limits.ts'
import { Places } from '../../http/places.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { type Layout, layoutIn } from '../sheets/sheet-query.ts'
import { groupings } from './figure.ts'
import { csvAnswer, jsonAnswer } from './report-answer.ts'
import { daysAsked, filtersOfReport, parametersOf } from './report-query.ts'
import { sumsDocument } from './sums-document.ts'
import { sumsSheet } from './sums-sheet.ts'
import { type SumsAsking, toldSums } from './told-sums.ts'

const reportNames = Object.keys(groupings) as readonly ReportName[]

/** Reports: what was harvested, and what was put on (docs/reports.md). */
export function reportRoutes(app: FastifyInstance, installation: Records): void {
  const reports = new Reports(installation)
  for (const report of reportNames) {
    for (const format of ['json', 'csv'] as const) {
      app.get(`/reports/${report}.${format}`, async (request, reply) => {
        requireRight(await callerOf(request, installation), 'read-records')
        return deliver(reply, tagged(request, await reports.answerTo(request, { report, format })))
      })
    }
  }
}

type ReportFormat = 'json' | 'csv'

interface ReportAsked {
  readonly report: ReportName
  readonly format: ReportFormat
}

interface Asking extends ReportAsked {
  readonly base: string
  readonly url: string
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly layout: Layout | undefined
}

const mostBytes = 8 * mebibyte

/** Puts reports together, a few at a time, and knows those of the farm as it is. */
class Reports {
  readonly #installation: Records
  readonly #places = new Places(limits.reportsAtOnce)
  readonly #known = new SnapshotCache<string, ReadyAnswer>(mostBytes)

  constructor(installation: Records) {
    this.#installation = installation
  }

  answerTo(request: FastifyRequest, { report, format }: ReportAsked): Promise<ReadyAnswer> {
    const entries = readQuery(request.url)
    const filters = filtersOfReport(entries, parametersOf[report][format])
    const layout = format === 'csv' ? layoutIn(entries) : undefined
    const base = baseAddressOf(request, this.#installation)
    const asking = { report, format, base, url: request.url, entries, filters, layout }
    return this.#places.whileInside(() =>
      this.#installation.database.read(
        (snapshot) => this.#answerIn(snapshot, asking),
        readBudgetOf(request, this.#installation),
      ),
    )
  }

  async #answerIn(snapshot: Snapshot, asking: Asking): Promise<ReadyAnswer> {
    const now = this.#installation.clock()
    const state = await farmState(snapshot, 'asset', atPresent(now))
    requireEdition(this.#installation, state.edition)
    const settings = await readFarmSettings(snapshot)
    const zone = settings.timezone
    const days = daysAsked(asking.entries, { now, zone })
    const usual = settings.system_of_measurement
    const address = JSON.stringify([asking.base, asking.url, days, zone, usual])
    const known = this.#known.knownIn(wordOf(state)).get(address)
    if (known !== undefined) return known
    const { base, report, entries, filters } = asking
    const asked = { base, report, entries, filters, days, zone, usual, now }
    const answer = await this.#written(snapshot, asking, asked)
    this.#known.keep(wordOf(state), address, { value: answer, weight: answer.body.length + address.length })
    return answer
  }

  async #written(snapshot: Snapshot, { format, layout }: Asking, asked: SumsAsking): Promise<ReadyAnswer> {
    const { told, telling, places } = await toldSums(snapshot, this.#installation, asked)
    if (format === 'json' || layout === undefined) return jsonAnswer(sumsDocument(told, telling, places))
    const name = `${telling.report}-${telling.days.firstDay}-${telling.days.lastDay}`
    return csvAnswer(sumsSheet(told, telling), { name, layout })
  }
}
