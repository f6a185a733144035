import { medicalBundle, perHeadLabel } from '../../farm/bundle-names.ts'
import { dayIn } from '../../fields/day.ts'
import { assetsOf, quantitiesOf } from '../../history/implications.ts'
import { withholdingsIn } from '../../history/withholding.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { withholdingText } from './input-register.ts'
import {
  asLog,
  isAmount,
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
  const courses: RegisterRow[] = []
  const last = new Map<string, number>()
  for (const log of logs) {
    const row = rowOf(log, known, say)
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

function rowOf(log: RegisterLog, known: RegisterNames, say: RegisterWords): RegisterRow {
  const { values, timestamp, id } = log
  const day = known.day(timestamp)
  const withheld = withholdingsIn(values, known.things.units)
  const until = withheld.map(({ product, seconds }) => [say(`product.${product}`), known.day(timestamp + seconds)])
  const cells: RegisterRow['cells'] = {
    day,
    last_day: day,
    animals: known.tagged(assetsOf(values)),
    product: productsIn(log, known),
    batch: noted(values, /^(?:batch|lot|charge|chargennummer|lote)\s*:\s*(.*)$/i),
    supplier: noted(values, /^(?:supplier|source|lieferant|bezugsquelle|proveedor)\s*:\s*(.*)$/i),
    dose_each: known.amounts(values, (label) => label === perHeadLabel).join(', '),
    dose_all: known.amounts(values).join(', '),
    reason: noted(values, /^(?:reason|diagnosis|grund|diagnose|motivo|diagnóstico)\s*:\s*(.*)$/i),
    vet: textIn(asLog(values).vet),
    withholding: withheld.length === 0 ? say('not-recorded') : withholdingText(log, known, say),
    free_from: until.map((words) => words.join(' ')).join(', '),
    who: known.who(log),
    entered: known.enteredLate(log),
  }
  const missing = missingIn(cells, ['animals', 'product', 'batch', 'dose_all', 'reason', 'vet'])
  return { cells, logs: [id], missing: withheld.length === 0 ? [...missing, 'withholding'] : missing }
}

/** The material of a quantity, else its label. */
function productsIn({ values }: RegisterLog, known: RegisterNames): string {
  const products = quantitiesOf(values).flatMap(({ material_type, label, measure }) => {
    if (!isAmount(textIn(label), textIn(measure))) return []
    const materials = known.terms((material_type as readonly number[] | undefined) ?? [])
    return materials || textIn(label) ? [materials || textIn(label)] : []
  })
  return [...new Set(products)].join(', ')
}

const follows = (before: RegisterRow, row: RegisterRow): boolean =>
  (dayIn(row.cells.day ?? '') ?? 0) - (dayIn(before.cells.last_day ?? '') ?? 0) <= 1 &&
  before.cells.withholding === row.cells.withholding

/** The later treatment says from when on the animals are free. */
const joined = (before: RegisterRow, row: RegisterRow): RegisterRow => ({
  cells: {
    ...before.cells,
    last_day: row.cells.day ?? '',
    free_from: row.cells.free_from ?? '',
    batch: before.cells.batch || (row.cells.batch ?? ''),
    reason: before.cells.reason || (row.cells.reason ?? ''),
    entered: before.cells.entered || (row.cells.entered ?? ''),
  },
  logs: [...before.logs, ...row.logs],
  missing: before.missing.filter((column) => row.missing.includes(column)),
})
