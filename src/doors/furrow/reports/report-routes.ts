import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { ReportName } from '../../../farm/farm.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import { dayAt, spelledDay } from '../../../fields/day.ts'
import { fractionText } from '../../../fields/fraction.ts'
import { fileFormatNames, isSheetFormat } from '../../../formats/file-formats.ts'
import { type QueryEntry, readQuery } from '../../../formats/query-string.ts'
import { limits } from '../../../limits.ts'
import type { Records } from '../../../records/records.ts'
import type { NamedRecord } from '../../../reports/named-records.ts'
import { historyReport, reportNames } from '../../../reports/report-names.ts'
import type { ShownLine, SumsReport, TreatmentWithholding, YieldingAmount } from '../../../reports/sums-report.ts'
import { type CsvLayout, layoutIn } from '../../../sheets/sheet-query.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { atPresent, farmState, readEdition, requireEdition, wordOf } from '../../../storage/farm-state.ts'
import { readFarmSettings } from '../../../storage/settings.ts'
import { SnapshotCache } from '../../../storage/snapshot-cache.ts'
import { readBudgetOf } from '../../http/answer-budget.ts'
import { callerOf } from '../../http/caller.ts'
import { Semaphore } from '../../http/concurrency.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { deliver, type ReadyAnswer, withEtag } from '../../http/record-answers.ts'
import { jsonAnswer, sheetAnswer } from '../answers.ts'
import { historyDocument, historySheet, queriedHistory } from './history-document.ts'
import { daysAsked, filtersOfReport, parametersOf } from './report-query.ts'
import { queriedSums, type SumsContext, type SumsQuery, sumsDocument } from './sums-document.ts'

/** Reports on harvests and inputs (docs/reports.md). */
export function reportRoutes(app: FastifyInstance, installation: Records): void {
  const reports = new Reports(installation)
  for (const report of reportNames) {
    for (const format of reportFormats) {
      app.get(`/reports/${report}.${format}`, async (request, reply) => {
        requireRight(await callerOf(request, installation), 'read-records')
        return deliver(reply, withEtag(request, await reports.answerTo(request, { report, format })))
      })
    }
  }
}

/** Sheets in every format, and the document for programs. */
const reportFormats = ['json', ...fileFormatNames.filter(isSheetFormat)] as const
type ReportFormat = (typeof reportFormats)[number]

interface ReportOfFormat {
  readonly report: ReportName
  readonly format: ReportFormat
}

interface SumsRequest extends ReportOfFormat {
  readonly base: string
  readonly url: string
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly layout: CsvLayout | undefined
}

const mostBytes = 8 * mebibyte

/** Computes a few reports at a time, and caches those of the current state. */
class Reports {
  readonly #installation: Records
  readonly #places = new Semaphore(limits.reportsAtOnce)
  readonly #known = new SnapshotCache<string, ReadyAnswer>(mostBytes)

  constructor(installation: Records) {
    this.#installation = installation
  }

  answerTo(request: FastifyRequest, { report, format }: ReportOfFormat): Promise<ReadyAnswer> {
    const entries = readQuery(request.url)
    const filters = filtersOfReport(entries, parametersOf[report][format])
    const layout = format === 'json' ? undefined : layoutIn(entries)
    const base = baseAddressOf(request, this.#installation)
    const asking = { report, format, base, url: request.url, entries, filters, layout }
    return this.#places.whileInside(() =>
      this.#installation.database.read(
        (snapshot) => this.#answerIn(snapshot, asking),
        readBudgetOf(request, this.#installation),
      ),
    )
  }

  async #answerIn(snapshot: Snapshot, asking: SumsRequest): Promise<ReadyAnswer> {
    const now = this.#installation.clock()
    const state = await farmState(snapshot, 'asset', atPresent(now))
    requireEdition(this.#installation, state.edition)
    const settings = await readFarmSettings(snapshot)
    const days = daysAsked(asking.entries, { now, zone: settings.timezone })
    const address = JSON.stringify([asking.base, asking.url, days, settings])
    const known = this.#known.knownIn(wordOf(state)).get(address)
    if (known !== undefined) return known
    const { base, report, entries, filters } = asking
    const query = { base, report, entries, filters, days, settings, now }
    const answer = await this.#written(snapshot, asking, query)
    this.#known.keep(wordOf(state), address, { value: answer, weight: answer.body.length + address.length })
    return answer
  }

  async #written(snapshot: Snapshot, { format, layout }: SumsRequest, asked: SumsQuery): Promise<ReadyAnswer> {
    const { told, telling, places } = await queriedSums(snapshot, this.#installation, asked)
    if (format === 'json' || layout === undefined) return jsonAnswer(sumsDocument(told, telling, places))
    const name = `${telling.report}-${telling.days.firstDay}-${telling.days.lastDay}`
    return sheetAnswer(sumsSheet(told, telling), { name, layout, format })
  }
}

interface SumsRow {
  readonly line: ShownLine
  readonly amount: YieldingAmount | undefined
  readonly telling: SumsContext
}

const names = (things: readonly NamedRecord[]): string => things.map(({ name }) => name).join(', ')

/** Columns of a sheet, each with its cell. */
const columns: Readonly<Record<string, (row: SumsRow) => string>> = {
  from: ({ telling }) => telling.days.firstDay,
  to: ({ telling }) => telling.days.lastDay,
  crops: ({ line }) => names(line.crops),
  materials: ({ line }) => names(line.materials),
  asset_types: ({ line }) => line.types.join(', '),
  herds: ({ line }) => names(line.herds),
  product: ({ amount }) => amount?.product ?? '',
  log_types: ({ line }) => line.bundles.join(', '),
  assets: ({ line }) => names(line.assets),
  areas: ({ line }) => names(line.areas),
  measure: ({ amount }) => amount?.measure ?? '',
  label: ({ amount }) => amount?.label ?? '',
  amount: ({ amount }) => amount?.value ?? '',
  unit: ({ amount }) => amount?.unit ?? '',
  joined: ({ amount }) =>
    amount?.joined.map(({ value, unit, factor }) => `${value} ${unit} × ${fractionText(factor)}`).join('; ') ?? '',
  yield: ({ amount }) => amount?.yield?.value ?? '',
  yield_unit: ({ amount }) => amount?.yield?.unit ?? '',
  square_metres: ({ amount }) => amount?.yield?.squareMetres ?? '',
  logs: ({ line, amount }) => String((amount ?? line).logs.length),
  until: () => '',
  no_lot: ({ line }) => String(line.withoutLot.length),
  list: ({ line, amount, telling }) => telling.address((amount ?? line).key),
}

/** A report with sums as rows: one per amount, and one for a line without amounts. */
function sumsSheet({ lines, withholding }: SumsReport, telling: SumsContext): readonly (readonly string[])[] {
  const rows = lines.flatMap((line): readonly SumsRow[] =>
    (line.amounts.length === 0 ? [undefined] : line.amounts).map((amount) => ({ line, amount, telling })),
  )
  return [
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((cell) => cell(row))),
    ...withholding.map((one) => cellsOf(one, telling)),
  ]
}

/** A row that says until when something is withheld. */
function cellsOf(
  { log, bundle, product, until, assets }: TreatmentWithholding,
  telling: SumsContext,
): readonly string[] {
  const said: Readonly<Record<string, string>> = {
    log_types: bundle,
    assets: names(assets),
    materials: product,
    label: log.name,
    logs: '1',
    until: spelledDay(dayAt(until, telling.zone)),
    list: telling.oneLog(log.id),
  }
  return Object.keys(columns).map((column) => said[column] ?? '')
}

/** The report on one area (docs/reports.md). */
export function fieldHistoryRoutes(app: FastifyInstance, installation: Records): void {
  const places = new Semaphore(limits.reportsAtOnce)
  for (const format of reportFormats) {
    app.get(`/reports/${historyReport}.${format}`, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'read-records')
      const entries = readQuery(request.url)
      const asking = {
        request,
        entries,
        filters: filtersOfReport(entries, parametersOf[historyReport][format]),
        format,
      }
      const answer = await places.whileInside(() =>
        installation.database.read(
          (snapshot) => historyAnswer(snapshot, installation, asking),
          readBudgetOf(request, installation),
        ),
      )
      return deliver(reply, withEtag(request, answer))
    })
  }
}

interface HistoryRequest {
  readonly request: FastifyRequest
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly format: ReportFormat
}

async function historyAnswer(
  snapshot: Snapshot,
  installation: Records,
  { request, entries, filters, format }: HistoryRequest,
): Promise<ReadyAnswer> {
  requireEdition(installation, await readEdition(snapshot))
  const settings = await readFarmSettings(snapshot)
  const now = installation.clock()
  const days = daysAsked(entries, { now, zone: settings.timezone })
  const layout = format === 'json' ? undefined : layoutIn(entries)
  const asking = { base: baseAddressOf(request, installation), entries, filters, days, settings, now }
  const { told, telling, places } = await queriedHistory(snapshot, installation, asking)
  if (format === 'json' || layout === undefined) return jsonAnswer(historyDocument(told, telling, places))
  const name = `${historyReport}-${days.firstDay}-${days.lastDay}`
  return sheetAnswer(historySheet(told, telling), { name, layout, format })
}
