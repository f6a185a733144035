import type { RecordTypeName } from '../../src/farm/farm.ts'
import type { Tree } from '../../src/fields/place.ts'
import type { Calendar } from './calendar.ts'
import type { DemoWords } from './words.ts'

/** A reference to an earlier planned record, by its key. */
export type Lookup = (key: string) => { readonly id: number }

/** One record of the demo farm before it is written. */
export interface PlannedRecord {
  readonly type: RecordTypeName
  /** The key for later references; empty if there are none. */
  readonly key: string
  /** Time of recording. */
  readonly at: number
  readonly body: (to: Lookup) => Tree
}

export const planTerm = (vocabulary: string, key: string, body: (to: Lookup) => Tree): PlannedRecord => ({
  type: 'term',
  key,
  at: 0,
  body: (to) => ({ vocabulary, ...body(to) }),
})

interface AssetPlan {
  readonly key: string
  readonly at: number
  readonly type: string
}

export const planAsset = ({ key, at, type }: AssetPlan, body: (to: Lookup) => Tree): PlannedRecord => ({
  type: 'asset',
  key,
  at,
  body: (to) => ({ type, ...body(to) }),
})

export interface DemoInput {
  readonly seed: number
  readonly calendar: Calendar
  readonly words: DemoWords
}
