import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { ReportName } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import type { Records } from '../../../records/records.ts'
import { sumsReport } from '../../../reports/sums-report.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { requireEdition } from '../../../storage/edition.ts'
import { farmState, wordOf } from '../../../storage/farm-state.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { readFarmSettings } from '../../../storage/settings.ts'
import { deliver, type ReadyAnswer, tagged } from '../../http/answers/ready-answer.ts'
import { SnapshotCache } from '../../http/answers/snapshot-cache.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { limits } from '../../http/limits.ts'
import { Places } from '../../http/places.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { filtersIn } from '../intake/filters.ts'
import { typeAsked } from '../intake/type-asked.ts'
import { type Layout, layoutIn } from '../sheets/sheet-query.ts'
import { addressesOfFigures, groupings } from './figure.ts'
import { filterTextOf } from './filter-text.ts'
import { csvAnswer, jsonAnswer } from './report-answer.ts'
import { daysAsked, filtersOfReport, groupsAsked, ofSums, unitsAsked } from './report-query.ts'
import { sumsDocument, type Telling } from './sums-document.ts'
import { sumsSheet } from './sums-sheet.ts'

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
    const filters = filtersOfReport(
      entries,
      format === 'csv' ? ofSums : ofSums.filter((name) => !sheetOnly.includes(name)),
    )
    const layout = format === 'csv' ? layoutIn(entries) : undefined
    const base = baseAddressOf(request, this.#installation)
    const asking = { report, format, base, url: request.url, entries, filters, layout }
    return this.#places.whileInside(() =>
      this.#installation.database.read((snapshot) => this.#answerIn(snapshot, asking)),
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
    const { report, entries } = asking
    const groups = groupsAsked(entries, groupings[report])
    const { from, to } = days
    const list = `${asking.base}/${resourceNames.log}.json?${filterTextOf(asking.filters)}`
    const telling: Telling = {
      farm: this.#installation.farm,
      report,
      groups,
      days,
      zone,
      units: unitsAsked(entries, usual),
      address: addressesOfFigures(list, { report, groups, from, to }),
      oneLog: (id) => `${asking.base}/${resourceNames.log}.json?id=${id}`,
    }
    const answer = await this.#written(snapshot, asking, { telling, now })
    this.#known.keep(wordOf(state), address, { value: answer, weight: answer.body.length + address.length })
    return answer
  }

  async #written(
    snapshot: Snapshot,
    { format, filters, layout }: Asking,
    { telling, now }: { readonly telling: Telling; readonly now: number },
  ): Promise<ReadyAnswer> {
    const { farm } = this.#installation
    const type = await typeAsked(snapshot, farm, { type: 'log', entries: filters })
    const asked = { ...telling.days, filters: filtersIn(this.#installation, type, filters) }
    const told = await sumsReport(snapshot, this.#installation, { ...telling, asked, now })
    if (format === 'json' || layout === undefined) return jsonAnswer(sumsDocument(told, telling))
    const name = `${telling.report}-${telling.days.firstDay}-${telling.days.lastDay}`
    return csvAnswer(sumsSheet(told, telling), { name, layout })
  }
}

/** What only a sheet is asked. */
const sheetOnly: readonly string[] = ['sep', 'bom']
