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
  byTime,
  isAmount,
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

/** Each field and crop in the period: size, seeding, inputs, harvest. A log in several fields is in the line of each. */
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
    const places = logs.map((log) => areasOf(log, known.things))
    await standing.learn(snapshot, places.flat())
    for (const [at, log] of logs.entries()) {
      const own = known.terms(known.crops(assetsOf(log.values)))
      for (const area of places[at] ?? []) {
        const crop = own === '' ? standing.names([area], log.timestamp) : own
        const key = `${area} ${crop}`
        const line = lines.get(key) ?? new FieldLine(area, crop)
        lines.set(key, line)
        line.add(log, known)
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

/** One field with one crop. */
class FieldLine {
  readonly #area: number
  readonly #crop: string
  readonly #logs: Omit<LineEntry, 'text'>[] = []
  readonly #seedings: LineEntry[] = []
  readonly #inputs: LineEntry[] = []
  readonly #harvest = new Map<string, SummedAmount>()

  constructor(area: number, crop: string) {
    this.#area = area
    this.#crop = crop
  }

  add(log: RegisterLog, known: RegisterNames): void {
    const { id, timestamp, bundle, values } = log
    this.#logs.push({ id, timestamp })
    const text = known.day(timestamp)
    if (bundle === harvestBundle) this.#addHarvest(log, known)
    else if (bundle === seedingBundle || bundle === transplantingBundle) this.#seedings.push({ id, timestamp, text })
    else {
      const said = [text, known.terms(asLog(values).material ?? []), known.amounts(values).join(', ')]
      this.#inputs.push({ id, timestamp, text: said.filter((one) => one !== '').join(' ') })
    }
  }

  /** An amount for each measure. */
  #addHarvest({ id, values }: RegisterLog, { things }: RegisterNames): void {
    for (const { measure, label, unit, value, fraction } of quantitiesOf(values)) {
      if (typeof value !== 'string' || value === '' || !isAmount(textIn(label), textIn(measure))) continue
      const words = things.wordsOf(textIn(measure), textIn(label), Number(unit ?? 0))
      const sum = this.#harvest.get(words.kind) ?? new SummedAmount(words.kind, words)
      this.#harvest.set(words.kind, sum)
      const written = typeof fraction === 'string' ? fraction : undefined
      const { measure: as, label: called, unit: word, kind } = words
      const summand = summandOf(value)
      sum.add({ measure: as, label: called, unit: word, kind, value, summand, fraction: written }, sourceOf(id))
    }
  }

  row(known: RegisterNames, units: UnitSystem): RegisterRow {
    const size = shapesOf(known.term(this.#area)?.values)
      .map(sizeOf)
      .reduce((all, one) => reduced(plus(all, one)), { numerator: 0n, denominator: 1n })
    const cells: RegisterRow['cells'] = {
      place: known.terms([this.#area]),
      size: size.numerator > 0n ? shownSize(size, units) : '',
      crop: this.#crop,
      seeding: [...new Set(textsOf(this.#seedings))].join(', '),
      inputs: textsOf(this.#inputs).join('; '),
      harvest: [...this.#harvest.values()]
        .map((sum) => sum.shown({ system: units, written: 'kept' }))
        .map(({ value, unit, label }) => [value ?? '', unit, label].filter((one) => one !== '').join(' '))
        .join(', '),
    }
    return { cells, logs: this.#logs.sort(byTime).map(({ id }) => id), missing: missingIn(cells, ['size']) }
  }
}

const sourceOf = (log: number) => ({ log, plantings: [], week: null })

/** Types are read one after the other; a line has them in order of time. */
const textsOf = (entries: LineEntry[]): readonly string[] => entries.sort(byTime).map(({ text }) => text)

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
