import type { Fault } from '../refusal.ts'

/** Where in the input a value stands, and where its faults are collected. */
export interface Place {
  /** The path as the writer would say it: `quantity[1].measure`. */
  readonly at: string
  /** Notes what is wrong here and gives undefined, so that reading goes on and all faults are reported together. */
  fault(message: string, allowed?: readonly string[]): undefined
  inside(step: string | number): Place
  /** Notes which items of the list here went on, by their numbers in what was sent: empty ones are left out. */
  keep(numbers: readonly number[]): void
  /** The words of one of the farm's lists. */
  words(list: string): readonly string[]
}

interface Collected {
  readonly faults: Fault[]
  /** Where it matters later: the numbers of the items that went on, by the path of their list. */
  readonly kept?: Map<string, readonly number[]>
  readonly words: (list: string) => readonly string[]
}

export function placeAt(at: string, collected: Collected): Place {
  return {
    at,
    fault(message, allowed) {
      collected.faults.push(allowed === undefined ? { field: at, message } : { field: at, message, allowed })
      return undefined
    },
    inside(step) {
      const path = typeof step === 'number' ? `${at}[${step}]` : at === '' ? step : `${at}.${step}`
      return placeAt(path, collected)
    },
    keep: (numbers) => void collected.kept?.set(at, numbers),
    words: collected.words,
  }
}

/** The same place for who has only the items that went on: counts them as the writer did. */
export function numbered(place: Place, kept: ReadonlyMap<string, readonly number[]>): Place {
  if (kept.size === 0) return place
  return {
    ...place,
    inside: (step) =>
      numbered(place.inside(typeof step === 'number' ? (kept.get(place.at)?.[step] ?? step) : step), kept),
  }
}

export type Tree = Readonly<Record<string, unknown>>

export const isTree = (input: unknown): input is Tree =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** What clients send where a template was left empty. */
export const isBlank = (input: unknown): boolean => input === null || input === undefined || input === ''

/** How a value is shown in a fault: short, and never a dump. */
export function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
