import { changes } from './changes.ts'
import { lists } from './lists.ts'
import { making } from './making.ts'
import { readThroughOlder, writtenThroughApi } from './newer.ts'
import { records } from './records.ts'
import { refusals } from './refusals.ts'
import type { Request } from './request.ts'

export interface Group {
  readonly name: string
  /** What time it is when it is asked. */
  readonly at: number
  /** What is sent first, and is not recorded. */
  readonly before?: readonly Request[]
  readonly requests: readonly Request[]
  readonly outcome: 'answered' | 'refused'
}

const made = 1_600_000_000
/** A log of the farm has come true meanwhile. */
const later = made + 1000

/** In the order in which they are asked. */
export const groups: readonly Group[] = [
  { name: 'making', at: made, requests: making, outcome: 'answered' },
  { name: 'changes', at: later, requests: changes, outcome: 'answered' },
  { name: 'lists', at: later, requests: lists, outcome: 'answered' },
  { name: 'records', at: later, requests: records, outcome: 'answered' },
  { name: 'refusals', at: later, requests: refusals, outcome: 'refused' },
]

/** Each on a farm of its own: what was written through the newer generation is read there through the record interface. */
export const farms: readonly (readonly Group[])[] = [
  groups,
  [{ name: 'newer', at: later, before: writtenThroughApi, requests: readThroughOlder, outcome: 'answered' }],
]
