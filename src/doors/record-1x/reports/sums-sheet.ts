import { dayAt, spelledDay } from '../../../fields/day.ts'
import { fractionText } from '../../../fields/fraction.ts'
import type { Named } from '../../../reports/named.ts'
import type { ShownLine, SumsReport, YieldingAmount } from '../../../reports/sums-report.ts'
import type { Withholding } from '../../../reports/withholding.ts'
import type { Telling } from './sums-document.ts'

interface Row {
  readonly line: ShownLine
  readonly amount: YieldingAmount | undefined
  readonly telling: Telling
}

const names = (things: readonly Named[]): string => things.map(({ name }) => name).join(', ')

/** The columns of a sheet, each with what stands in its cells. */
const columns: Readonly<Record<string, (row: Row) => string>> = {
  from: ({ telling }) => telling.days.firstDay,
  to: ({ telling }) => telling.days.lastDay,
  crops: ({ line }) => names(line.crops),
  materials: ({ line }) => names(line.materials),
  asset_types: ({ line }) => line.types.join(', '),
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

/** A report that adds up, as rows of cells: one for each amount, and one for a line that has none. */
export function sumsSheet({ lines, withholding }: SumsReport, telling: Telling): readonly (readonly string[])[] {
  const rows = lines.flatMap((line): readonly Row[] =>
    (line.amounts.length === 0 ? [undefined] : line.amounts).map((amount) => ({ line, amount, telling })),
  )
  return [
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((cell) => cell(row))),
    ...withholding.map((one) => cellsOf(one, telling)),
  ]
}

/** A row that says until when something is withheld. */
function cellsOf({ log, bundle, timestamp, assets }: Withholding, telling: Telling): readonly string[] {
  const said: Readonly<Record<string, string>> = {
    log_types: bundle,
    assets: names(assets),
    label: log.name,
    logs: '1',
    until: spelledDay(dayAt(timestamp, telling.zone)),
    list: telling.oneLog(log.id),
  }
  return Object.keys(columns).map((column) => said[column] ?? '')
}
