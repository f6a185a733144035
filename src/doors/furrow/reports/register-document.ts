import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { knownLanguage } from '../../../access/locales.ts'
import type { Farm } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { type QueryEntry, readQuery } from '../../../formats/query-string.ts'
import { limits } from '../../../limits.ts'
import type { Records } from '../../../records/records.ts'
import type { Register, RegisterRow } from '../../../reports/registers/register.ts'
import { logsOfRegister, missingColumns, registers } from '../../../reports/registers/registers.ts'
import {
  peopleColumns,
  type RegisterColumn,
  type RegisterName,
  registerColumns,
  registerNames,
} from '../../../reports/report-names.ts'
import { layoutIn } from '../../../sheets/sheet-query.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { readEdition, requireEdition } from '../../../storage/farm-state.ts'
import { readFarmSettings } from '../../../storage/settings.ts'
import { filtersIn } from '../../../wire-1x/filters.ts'
import { parameter, queriedType } from '../../../wire-1x/list-query.ts'
import { addressesOfRegister } from '../../../wire-1x/report-figures.ts'
import { registerWords } from '../../../words/words-of.ts'
import { readBudgetOf } from '../../http/answer-budget.ts'
import { callerOf } from '../../http/caller.ts'
import { Semaphore } from '../../http/concurrency.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { deliver, withEtag } from '../../http/record-answers.ts'
import { jsonAnswer, sheetAnswer } from '../answers.ts'
import type { RegisterDocument } from './register-description.ts'
import { daysAsked, filtersOfReport, filterTextOf, parametersOf, type ReportDays, unitsAsked } from './report-query.ts'
import { type PaperHead, paperHead } from './sums-document.ts'

/** Registers that an inspector takes (docs/reports.md#registers). */
export function registerRoutes(app: FastifyInstance, installation: Records): void {
  const places = new Semaphore(limits.reportsAtOnce)
  for (const report of registerNames) {
    for (const format of ['json', 'csv', 'xlsx'] as const) {
      app.get(`/reports/${report}.${format}`, async (request, reply) => {
        requireRight(await callerOf(request, installation), 'read-records')
        const entries = readQuery(request.url)
        const filters = filtersOfReport(entries, parametersOf[report][format])
        const layout = format === 'json' ? undefined : layoutIn(entries)
        const asking = { report, entries, filters, base: baseAddressOf(request, installation) }
        const { document } = await places.whileInside(() =>
          installation.database.read(
            (snapshot) => registerDocument(snapshot, installation, asking),
            readBudgetOf(request, installation),
          ),
        )
        const name = `${report}-${document.from}-${document.to}`
        const ready =
          format === 'json' || layout === undefined
            ? jsonAnswer(document)
            : await sheetAnswer(registerSheet(document), { name, layout, format })
        return deliver(reply, withEtag(request, ready))
      })
    }
  }
}

export interface RegisterQuery {
  readonly report: RegisterName
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly base: string
  /** Of a link that names nobody: without the columns that do. */
  readonly people?: 'named' | 'left out'
}

export interface RegisterResult {
  readonly document: RegisterDocument
  readonly logs: readonly number[]
}

/** A register as its address answers it, and the logs behind it. */
export async function registerDocument(
  snapshot: Snapshot,
  installation: Records,
  { report, entries, filters, base, people = 'named' }: RegisterQuery,
): Promise<RegisterResult> {
  requireEdition(installation, await readEdition(snapshot))
  const settings = await readFarmSettings(snapshot)
  const [zone, now] = [settings.timezone, installation.clock()]
  const days = daysAsked(entries, { now, zone })
  const language = languageAsked(installation.farm, entries)
  const words = await registerWords(language)
  const say = (key: string, values?: Readonly<Record<string, string>>) =>
    words(key.startsWith('product.') ? key : `cell.${key}`, values)
  const type = await queriedType(snapshot, installation.farm, { type: 'log', entries: filters })
  const asked = { from: days.from, to: days.to, filters: filtersIn(installation, type, filters) }
  const units = unitsAsked(entries, settings.system_of_measurement)
  const register = await registers[report](snapshot, installation, { asked, zone, now, units, say })
  const columns = registerColumns[report].filter((name) => people === 'named' || !peopleColumns.includes(name))
  const list = `${base}/${resourceNames.log}.json`
  const telling = {
    report,
    days,
    zone,
    language,
    list,
    spelled: figuresIn(language),
    head: paperHead(settings),
    columns: columns.map((name) => ({ name, label: words(`column.${name}`) })),
    address: addressesOfRegister(`${list}?${filterTextOf(filters)}`, { report, ...asked }),
  }
  const logs = logsOfRegister(register, 'all')
  return { document: documentOf(register, logs, telling), logs }
}

function languageAsked(farm: Farm, entries: readonly QueryEntry[]): string {
  const asked = parameter(entries, 'language')
  return asked === undefined ? 'en' : knownLanguage(farm, asked, 'bad-query')
}

interface RegisterContext {
  readonly report: RegisterName
  readonly days: ReportDays
  readonly zone: string
  readonly language: string
  /** The address of all logs. */
  readonly list: string
  readonly head: PaperHead
  readonly columns: readonly { readonly name: RegisterColumn; readonly label: string }[]
  readonly address: (key: string) => string
  /** Figures as the language writes them. */
  readonly spelled: (text: string) => string
}

function documentOf(register: Register, all: readonly number[], telling: RegisterContext): RegisterDocument {
  const { report, days, zone, language, head, columns, address, spelled } = telling
  const missing = missingColumns(register)
  return {
    report,
    from: days.firstDay,
    to: days.lastDay,
    time_zone: zone,
    language,
    head,
    columns,
    logs: { count: all.length, list: address('all') },
    missing: columns.flatMap(({ name, label }) => {
      const count = missing.get(name)
      return count === undefined ? [] : [{ column: name, label, count, list: address(`missing-${name}`) }]
    }),
    rows: register.rows.map((row) => rowOf(row, telling)),
    sums: register.sums.map(({ logs, of, amount, size, rate }) => {
      return { of, amount: spelled(amount), size: spelled(size), rate: spelled(rate), count: logs.length }
    }),
  }
}

/** An address does not hold more logs. */
const mostInAddress = 40

/** Columns of figures with units. */
const ofFigures: readonly RegisterColumn[] = [
  ...(['amount', 'size', 'rate', 'dose_each', 'dose_all', 'withholding', 'inputs', 'harvest'] as const),
]

/** With the decimal mark of the language: who writes 0,984 ha reads 0.984 ha as a thousandfold. */
function figuresIn(language: string): (text: string) => string {
  const mark = new Intl.NumberFormat(language).format(0.5).charAt(1)
  return mark === '.' ? (text) => text : (text) => text.replace(/(?<=\d)\.(?=\d)/g, mark)
}

function rowOf({ cells: said, logs, missing }: RegisterRow, { columns, list, spelled }: RegisterContext) {
  const cells: Record<string, string> = {}
  for (const { name } of columns) {
    const text = said[name] ?? ''
    cells[name] = ofFigures.includes(name) ? spelled(text) : text
  }
  const inAddress = logs.length > mostInAddress ? [] : logs
  return {
    cells,
    logs: logs.map(String),
    missing: missing.length === 0 ? missing : columns.flatMap(({ name }) => (missing.includes(name) ? [name] : [])),
    list: inAddress.length === 0 ? null : `${list}?${inAddress.map((id) => `id%5B%5D=${id}`).join('&')}`,
  }
}

/** The same as rows of cells, under the labels of the columns. */
export const registerSheet = ({ columns, rows }: RegisterDocument): readonly (readonly string[])[] => [
  columns.map(({ label }) => label),
  ...rows.map(({ cells }) => columns.map(({ name }) => cells[name] ?? '')),
]
