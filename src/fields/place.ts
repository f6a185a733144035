import type { RefusalFault } from '../refusal.ts'

/** The place of a value in the input, and the collector of its faults. */
export interface InputPlace {
  /** The path as the writer would say it: `quantity[1].measure`. */
  readonly at: string
  /** Notes what is wrong here and gives undefined, so that reading goes on and all faults are reported together. */
  fault(message: string, allowed?: readonly string[]): undefined
  inside(step: string | number): InputPlace
  /** Notes that a field here is missing, unless a fault of its own says why. */
  requireInside(name: string): void
  /** Notes which items of the list here went on, by their numbers in what was sent: empty ones are left out. */
  keep(numbers: readonly number[]): void
  /** The words of one of the farm's lists. */
  words(list: string): readonly string[]
  /** The farm's own address, where whoever reads has one. */
  readonly address: string | undefined
}

interface InputCollector {
  readonly faults: RefusalFault[]
  /** Original indexes of accepted items, by the path of their list. */
  readonly kept?: Map<string, readonly number[]>
  readonly words: (list: string) => readonly string[]
  readonly address?: string
}

export const placeAt = (at: string, collected: InputCollector): InputPlace => new SentPlace(at, collected)

/** A class and not closures, because there is one for each value that is sent. */
class SentPlace implements InputPlace {
  readonly at: string
  readonly collected: InputCollector

  constructor(at: string, collected: InputCollector) {
    this.at = at
    this.collected = collected
  }

  get address(): string | undefined {
    return this.collected.address
  }

  fault(message: string, allowed?: readonly string[]): undefined {
    const { at } = this
    this.collected.faults.push(allowed === undefined ? { field: at, message } : { field: at, message, allowed })
    return undefined
  }

  inside(step: string | number): InputPlace {
    return new SentPlace(this.pathTo(step), this.collected)
  }

  requireInside(name: string): void {
    const at = this.pathTo(name)
    if (!this.collected.faults.some(({ field }) => field.startsWith(at))) this.inside(name).fault('is required')
  }

  pathTo(step: string | number): string {
    if (typeof step === 'number') return `${this.at}[${step}]`
    return this.at === '' ? step : `${this.at}.${step}`
  }

  keep(numbers: readonly number[]): void {
    this.collected.kept?.set(this.at, numbers)
  }

  words(list: string): readonly string[] {
    return this.collected.words(list)
  }
}

/** The same place for who has only the items that went on: counts them as the writer did. */
class NumberedPlace extends SentPlace {
  override inside(step: string | number): InputPlace {
    const number = typeof step === 'number' ? this.collected.kept?.get(this.at)?.[step] : undefined
    return new NumberedPlace(this.pathTo(number ?? step), this.collected)
  }
}

export const numberedPlaceAt = (at: string, collected: InputCollector): InputPlace => new NumberedPlace(at, collected)

export type Tree = Readonly<Record<string, unknown>>

export const isTree = (input: unknown): input is Tree =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** Empty values of a template that clients send back. */
export const isBlank = (input: unknown): boolean => input === null || input === undefined || input === ''

/** A template whose every member was left empty; what kind of thing it is for (`resource`) fills in nothing. */
export const isUnfilled = (input: unknown): boolean => {
  if (Array.isArray(input)) return input.every(isUnfilled)
  if (!isTree(input)) return isBlank(input)
  return Object.entries(input).every(([name, member]) => name === 'resource' || isUnfilled(member))
}

/** A value in a fault message, shortened. */
export function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Notes every member that such a value does not have. */
export function hasOnly(input: Tree, members: readonly string[], place: InputPlace): boolean {
  const strangers = Object.keys(input).filter((name) => !members.includes(name))
  for (const name of strangers) place.inside(name).fault('there is no such property here', members)
  return strangers.length === 0
}
