import { createHash } from 'node:crypto'
import { type MeasuredQuantity, SummedAmount } from './amounts.ts'
import type { LogFacts, LogSubject } from './log-facts.ts'

/** One line of a report: the common key of its logs, and their sums. */
export class ReportLine {
  readonly key: string
  readonly logs: number[] = []
  readonly withoutLot: number[] = []
  readonly assets = new Set<number>()
  readonly plantings = new Set<number>()
  readonly crops = new Set<number>()
  readonly types = new Set<string>()
  readonly herds = new Set<number>()
  readonly areas = new Set<number>()
  readonly materials = new Set<number>()
  readonly bundles = new Set<string>()
  readonly #subjects = new Set<LogSubject>()
  readonly #amounts = new Map<string, SummedAmount>()

  constructor(kind: string) {
    this.key = keyOf([kind])
  }

  /** Adds a log of the week that begins with that Monday; null if the report has no weeks. */
  add(facts: LogFacts, week: number | null): void {
    this.logs.push(facts.id)
    if (!facts.hasLot) this.withoutLot.push(facts.id)
    this.bundles.add(facts.bundle)
    addAll(this.herds, facts.herds)
    addAll(this.areas, facts.areas)
    addAll(this.materials, facts.materials)
    this.#note(facts.subject)
    const taken = { log: facts.id, plantings: facts.subject.plantings, week }
    for (const measured of facts.measured) this.#amountOf(measured).add(measured, taken)
  }

  #note(subject: LogSubject): void {
    if (this.#subjects.has(subject)) return
    this.#subjects.add(subject)
    addAll(this.types, subject.types)
    for (const list of ['assets', 'plantings', 'crops'] as const) addAll(this[list], subject[list])
  }

  /** Sorted by measure, label and unit. */
  get amounts(): readonly SummedAmount[] {
    return [...this.#amounts.values()].toSorted((one, other) => compareTexts(one.place, other.place))
  }

  #amountOf(measured: MeasuredQuantity): SummedAmount {
    const known = this.#amounts.get(measured.kind)
    if (known !== undefined) return known
    const amount = new SummedAmount(keyOf([this.key, measured.kind]), measured)
    this.#amounts.set(measured.kind, amount)
    return amount
  }
}

function addAll<T>(set: Set<T>, items: readonly T[]): void {
  for (const item of items) set.add(item)
}

/** Compares element by element. */
export function compareTexts(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((text, index) => text !== other[index])
  if (at < 0) return 0
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1
}

/** A short, stable key of a figure. */
export const keyOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
