import { medicalBundle } from '../../farm/bundle-names.ts'
import { dayIn } from '../../fields/day.ts'
import { assetsOf } from '../../history/implications.ts'
import { remindersAmong, withholdingsIn } from '../../history/withholding.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { withholdingText } from './input-register.ts'
import {
  asLog,
  missingIn,
  noted,
  type Register,
  type RegisterLog,
  RegisterNames,
  type RegisterRequest,
  type RegisterRow,
  type RegisterWords,
  registerLogs,
  textIn,
} from './register.ts'

/** Medicines given to animals. Treatments of the same animals with the same product on days that follow each other are one line. */
export async function medicineBook(
  snapshot: Snapshot,
  installation: Records,
  { asked, zone, say }: RegisterRequest,
): Promise<Register> {
  const logs = await registerLogs(snapshot, installation, { asked, bundles: [medicalBundle] })
  const known = await RegisterNames.of(snapshot, logs, { zone, until: asked.to })
  const older = await remindersAmong(
    snapshot,
    logs.map(({ id }) => id),
  )
  const courses: RegisterRow[] = []
  const last = new Map<string, number>()
  for (const log of logs) {
    if (older.reminders.has(log.id)) continue
    const row = rowOf(log, known, { say, reminder: older.until.get(log.id) })
    const key = JSON.stringify([
      assetsOf(log.values).toSorted(),
      row.cells.product,
      row.cells.dose_each,
      row.cells.dose_all,
    ])
    const at = last.get(key)
    const before = at === undefined ? undefined : courses[at]
    if (at !== undefined && before !== undefined && follows(before, row)) {
      courses[at] = joined(before, row)
      continue
    }
    last.set(key, courses.length)
    courses.push(row)
  }
  return { rows: courses, sums: [] }
}

interface TreatmentWords {
  readonly say: RegisterWords
  /** Until when an older reminder withholds everything. */
  readonly reminder: number | undefined
}

function rowOf(log: RegisterLog, known: RegisterNames, { say, reminder }: TreatmentWords): RegisterRow {
  const { values, timestamp, id } = log
  const day = known.day(timestamp)
  const withheld = withholdingsIn(values, known.things.units)
  const isSaid = withheld.length > 0 || reminder !== undefined
  const until = withheld.map(({ product, seconds }) => [say(`product.${product}`), known.day(timestamp + seconds)])
  if (reminder !== undefined) until.push([say('product.all'), known.day(reminder)])
  const cells: RegisterRow['cells'] = {
    day,
    last_day: day,
    animals: known.tagged(assetsOf(values)),
    product: productsIn(log, known),
    batch: noted(values, /^(?:batch|lot|charge|chargennummer|lote)\s*:\s*(.*)$/i),
    supplier: noted(values, /^(?:supplier|source|lieferant|bezugsquelle|proveedor)\s*:\s*(.*)$/i),
    dose_each: known.dosesPerHead(values).join(', '),
    dose_all: known.amounts(values).join(', '),
    reason: noted(values, /^(?:reason|diagnosis|grund|diagnose|motivo|diagnóstico)\s*:\s*(.*)$/i),
    vet: textIn(asLog(values).vet),
    withholding: isSaid ? withholdingText(log, known, say) || say('product.all') : say('not-recorded'),
    free_from: until.map((words) => words.join(' ')).join(', '),
    who: known.who(log),
    entered: known.enteredLate(log),
  }
  const missing = missingIn(cells, ['animals', 'product', 'batch', 'dose_all', 'reason', 'vet'])
  return { cells, logs: [id], missing: isSaid ? missing : [...missing, 'withholding'] }
}

/** The material of a quantity, else its label. */
function productsIn({ values }: RegisterLog, known: RegisterNames): string {
  const products = known.measured(values).map(({ materials, label }) => known.terms(materials) || label)
  return [...new Set(products)].filter((one) => one !== '').join(', ')
}

/** A course has one batch, reason and vet; a line that leaves them out belongs to the one before. */
const follows = (before: RegisterRow, row: RegisterRow): boolean =>
  (dayIn(row.cells.day ?? '') ?? 0) - (dayIn(before.cells.last_day ?? '') ?? 0) <= 1 &&
  before.cells.withholding === row.cells.withholding &&
  saidOnce.every((column) => [before.cells[column], '', undefined].includes(row.cells[column]) || !before.cells[column])

const saidOnce = ['batch', 'supplier', 'reason', 'vet', 'who'] as const

/** The later treatment says from when on the animals are free. */
const joined = (before: RegisterRow, row: RegisterRow): RegisterRow => ({
  cells: {
    ...before.cells,
    last_day: row.cells.day ?? '',
    free_from: row.cells.free_from ?? '',
    ...Object.fromEntries(saidOnce.map((column) => [column, before.cells[column] || (row.cells[column] ?? '')])),
    entered: before.cells.entered || (row.cells.entered ?? ''),
  },
  logs: [...before.logs, ...row.logs],
  missing: before.missing.filter((column) => row.missing.includes(column)),
})
