import { harvestBundle, medicalBundle, seedingBundle, transplantingBundle } from '../../farm/bundle-names.ts'
import { assetsOf } from '../../history/implications.ts'
import { shapesOf } from '../../history/location.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type MeasuredQuantity, SummedAmount } from '../amounts.ts'
import { plus } from '../exact-sum.ts'
import { shownSize, sizeOf } from '../sums-report.ts'
import { bundlesCounted } from '../totals.ts'
import { reduced, type UnitSystem } from '../units.ts'
import { RegisterCrops } from './input-register.ts'
import {
  areasOf,
  asLog,
  byTime,
  missingIn,
  type Register,
  type RegisterLog,
  RegisterNames,
  type RegisterRequest,
  type RegisterRow,
  registerLogs,
  registerPages,
  textIn,
} from './register.ts'

/** Each field, year and crop: size, seeding, inputs, harvest. A log in several fields is in the line of each, and says so. */
export async function fieldRegister(
  snapshot: Snapshot,
  installation: Records,
  { asked, zone, units }: RegisterRequest,
): Promise<Register> {
  const inputs = bundlesCounted(installation, 'inputs').filter((name) => name !== medicalBundle)
  const bundles = [seedingBundle, transplantingBundle, ...inputs, harvestBundle]
  const known = new RegisterNames({ zone, until: asked.to, notes: 'left out' })
  const standing = new RegisterCrops(known, asked.to)
  const lines = new Map<string, FieldLine>()
  for await (const logs of registerPages(snapshot, installation, { asked, bundles })) {
    await known.learn(snapshot, logs)
    const ofFields = logs.filter(({ values }) => !known.isOfAnimals(assetsOf(values)))
    const places = ofFields.map((log) => areasOf(log, known.things))
    await standing.learn(snapshot, places.flat())
    for (const [at, log] of ofFields.entries()) {
      const own = known.terms(known.crops(assetsOf(log.values)))
      const those = places[at] ?? []
      for (const area of those) {
        const crop = own === '' ? standing.names([area], log.timestamp) : own
        const year = known.day(log.timestamp).slice(0, 4)
        const key = `${area} ${year} ${crop}`
        const line = lines.get(key) ?? new FieldLine(area, year, crop)
        lines.set(key, line)
        line.add(log, known, those.length > 1 ? ` (${known.terms(those)})` : '')
      }
    }
  }
  const rows = [...lines.values()].map((line) => line.row(known, units))
  return { rows: rows.toSorted(byPlace), sums: [] }
}

/** A log as a line of a field keeps it. */
interface LineEntry {
  readonly id: number
  readonly timestamp: number
  readonly text: string
}

interface FieldHarvest {
  readonly sum: SummedAmount
  readonly shared: string
}

/** One field in one year with one crop. */
class FieldLine {
  readonly #area: number
  readonly #year: string
  readonly #crop: string
  readonly #logs: Omit<LineEntry, 'text'>[] = []
  readonly #seedings: LineEntry[] = []
  readonly #inputs: LineEntry[] = []
  readonly #harvest = new Map<string, FieldHarvest>()

  constructor(area: number, year: string, crop: string) {
    this.#area = area
    this.#year = year
    this.#crop = crop
  }

  /** `shared` names all fields of a log in several; its amounts are in no sum with others. */
  add(log: RegisterLog, known: RegisterNames, shared: string): void {
    const { id, timestamp, bundle, values } = log
    this.#logs.push({ id, timestamp })
    const text = known.day(timestamp)
    if (bundle === harvestBundle) this.#addHarvest(id, known.measured(values), shared)
    else if (bundle === seedingBundle || bundle === transplantingBundle)
      this.#seedings.push({ id, timestamp, text: text + shared })
    else {
      const said = [text, known.terms(asLog(values).material ?? []), known.amounts(values).join(', ')]
      this.#inputs.push({ id, timestamp, text: said.filter((one) => one !== '').join(' ') + shared })
    }
  }

  /** An amount for each measure. */
  #addHarvest(log: number, amounts: readonly MeasuredQuantity[], shared: string): void {
    for (const one of amounts) {
      const key = one.kind + shared
      const { sum } = this.#harvest.get(key) ?? { sum: new SummedAmount(key, one) }
      this.#harvest.set(key, { sum, shared })
      sum.add(one, { log, plantings: [], week: null })
    }
  }

  row(known: RegisterNames, units: UnitSystem): RegisterRow {
    const size = shapesOf(known.term(this.#area)?.values)
      .map(sizeOf)
      .reduce((all, one) => reduced(plus(all, one)), { numerator: 0n, denominator: 1n })
    const cells: RegisterRow['cells'] = {
      place: known.terms([this.#area]),
      size: size.numerator > 0n ? shownSize(size, units) : '',
      year: this.#year,
      crop: this.#crop,
      seeding: [...new Set(textsOf(this.#seedings))].join(', '),
      inputs: textsOf(this.#inputs).join('; '),
      harvest: [...this.#harvest.values()]
        .map(({ sum, shared }) => ({ ...sum.shown({ system: units, written: 'kept' }), shared }))
        .map(
          ({ value, unit, label, shared }) => [value ?? '', unit, label].filter((one) => one !== '').join(' ') + shared,
        )
        .join(', '),
    }
    return { cells, logs: this.#logs.sort(byTime).map(({ id }) => id), missing: missingIn(cells, ['size']) }
  }
}

/** Types are read one after the other; a line has them in order of time. */
const textsOf = (entries: LineEntry[]): readonly string[] => entries.sort(byTime).map(({ text }) => text)

const byPlace = (one: RegisterRow, other: RegisterRow): number => {
  const [mine, others] = [one, other].map(({ cells }) => `${cells.place ?? ''} ${cells.year ?? ''} ${cells.crop ?? ''}`)
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
