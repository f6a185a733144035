import { lastUsed } from '../store/used.ts'

/** What the sheet offers; planting out is behind Seed. */
const offered = ['move', 'harvest', 'observe', 'weigh', 'treat', 'seed', 'input', 'maintain'] as const

export type Offered = (typeof offered)[number]

/** What was used last comes first. */
export function entriesInOrder(): readonly Offered[] {
  const used = lastUsed('entry')
  const rank = (name: string) => (used.includes(name) ? used.indexOf(name) : used.length)
  return offered.toSorted((one, other) => rank(one) - rank(other))
}
