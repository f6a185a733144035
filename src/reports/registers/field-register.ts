import { harvestBundle, medicalBundle, seedingBundle, transplantingBundle } from '../../farm/bundle-names.ts'
import { assetsOf, quantitiesOf } from '../../history/implications.ts'
import { shapesOf } from '../../history/location.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { SummedAmount } from '../amounts.ts'
import { plus, summandOf } from '../exact-sum.ts'
import { shownSize, sizeOf } from '../sums-report.ts'
import { bundlesCounted } from '../totals.ts'
import { reduced, type UnitSystem } from '../units.ts'
import { RegisterCrops } from './input-register.ts'
import {
  areasOf,
  asLog,
  isAmount,
  missingIn,
  type Register,
  type RegisterLog,
  RegisterNames,
  type RegisterRequest,
  type RegisterRow,
  registerLogs,
  textIn,
} from './register.ts'

/** Each field and crop in the period: size, seeding, inputs, harvest. A log in several fields is in the line of each. */
export async function fieldRegister(
  snapshot: Snapshot,
  installation: Records,
  { asked, zone, units }: RegisterRequest,
): Promise<Register> {
  const inputs = bundlesCounted(installation, 'inputs').filter((name) => name !== medicalBundle)
  const bundles = [seedingBundle, transplantingBundle, ...inputs, harvestBundle]
  const logs = await registerLogs(snapshot, installation, { asked, bundles })
  const known = await RegisterNames.of(snapshot, logs, { zone, until: asked.to })
  const areas = [...new Set(logs.flatMap((log) => areasOf(log, known.things)))]
  const standing = await RegisterCrops.of(snapshot, areas, asked.to)
  const lines = new Map<string, FieldLine>()
  for (const log of logs) {
    const own = known.crops(assetsOf(log.values))
    for (const area of areasOf(log, known.things)) {
      const crop = own.length > 0 ? known.terms(own) : standing.names([area], log.timestamp)
      const key = `${area} ${crop}`
      const line = lines.get(key) ?? { area, crop, logs: [] }
      lines.set(key, line)
      line.logs.push(log)
    }
  }
  const rows = [...lines.values()].map((line) => rowOf(line, known, { units, inputs }))
  return { rows: rows.toSorted(byPlace), sums: [] }
}

interface FieldLine {
  readonly area: number
  readonly crop: string
  readonly logs: RegisterLog[]
}

interface FieldOptions {
  readonly units: UnitSystem
  readonly inputs: readonly string[]
}

function rowOf({ area, crop, logs }: FieldLine, known: RegisterNames, { units, inputs }: FieldOptions): RegisterRow {
  const of = (bundles: readonly string[]) => logs.filter(({ bundle }) => bundles.includes(bundle))
  const size = shapesOf(known.term(area)?.values)
    .map(sizeOf)
    .reduce((all, one) => reduced(plus(all, one)), { numerator: 0n, denominator: 1n })
  const cells: RegisterRow['cells'] = {
    place: known.terms([area]),
    size: size.numerator > 0n ? shownSize(size, units) : '',
    crop,
    seeding: [...new Set(of([seedingBundle, transplantingBundle]).map(({ timestamp }) => known.day(timestamp)))].join(
      ', ',
    ),
    inputs: of(inputs)
      .map((log) =>
        [known.day(log.timestamp), known.terms(asLog(log.values).material ?? []), known.amounts(log.values).join(', ')]
          .filter((one) => one !== '')
          .join(' '),
      )
      .join('; '),
    harvest: summed(of([harvestBundle]), known, units),
  }
  return { cells, logs: logs.map(({ id }) => id), missing: missingIn(cells, ['size']) }
}

/** What these logs come to, an amount for each measure. */
function summed(logs: readonly RegisterLog[], { things }: RegisterNames, system: UnitSystem): string {
  const sums = new Map<string, SummedAmount>()
  for (const { id, values } of logs) {
    for (const { measure, label, unit, value, fraction } of quantitiesOf(values)) {
      if (typeof value !== 'string' || value === '' || !isAmount(textIn(label), textIn(measure))) continue
      const words = things.wordsOf(textIn(measure), textIn(label), Number(unit ?? 0))
      const sum = sums.get(words.kind) ?? new SummedAmount(words.kind, words)
      sums.set(words.kind, sum)
      const written = typeof fraction === 'string' ? fraction : undefined
      const quantity = { ...words, value, summand: summandOf(value), fraction: written }
      sum.add(quantity, { log: id, plantings: [], week: null })
    }
  }
  return [...sums.values()]
    .map((sum) => sum.shown({ system, written: 'kept' }))
    .map(({ value, unit, label }) => [value ?? '', unit, label].filter((one) => one !== '').join(' '))
    .join(', ')
}

const byPlace = (one: RegisterRow, other: RegisterRow): number => {
  const [mine, others] = [one, other].map(({ cells }) => `${cells.place ?? ''} ${cells.crop ?? ''}`)
  return (mine ?? '') < (others ?? '') ? -1 : 1
}

/** Seed that was sown: which crop, from which lot and source, where. */
export async function seedRegister(
  snapshot: Snapshot,
  installation: Records,
  { asked, zone }: RegisterRequest,
): Promise<Register> {
  const logs = await registerLogs(snapshot, installation, { asked, bundles: [seedingBundle] })
  const known = await RegisterNames.of(snapshot, logs, { zone, until: asked.to })
  const rows = logs.map((log): RegisterRow => {
    const cells: RegisterRow['cells'] = {
      day: known.day(log.timestamp),
      crop: known.terms(known.crops(assetsOf(log.values))) || known.tagged(assetsOf(log.values)),
      lot: textIn(asLog(log.values).lot_number),
      source: textIn(asLog(log.values).seed_source),
      amount: known.amounts(log.values).join(', '),
      place: known.terms(areasOf(log, known.things)),
      entered: known.enteredLate(log),
    }
    return { cells, logs: [log.id], missing: missingIn(cells, ['crop', 'lot', 'source', 'place']) }
  })
  return { rows, sums: [] }
}
