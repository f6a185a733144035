import type { RecordTypeName } from '../../src/farm/farm.ts'
import type { Tree } from '../../src/fields/place.ts'
import type { Calendar } from './calendar.ts'
import type { DemoWords } from './words.ts'

/** A reference to something planned earlier, by the key it was planned under. */
export type Lookup = (key: string) => { readonly id: number }

/** One record of the demo farm before it is kept. */
export interface PlannedRecord {
  readonly type: RecordTypeName
  /** How later records refer to it; empty where none does. */
  readonly key: string
  /** When it was noted down. */
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

/** What a demo farm is told from. */
export interface DemoInput {
  readonly seed: number
  readonly calendar: Calendar
  readonly words: DemoWords
}
