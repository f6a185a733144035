import * as fc from 'fast-check'
import type { Fact } from './fact.ts'
import { anySecond, isoTime } from './kinds.ts'

interface State {
  readonly from: number
  readonly to: number
}

/** When a season is: only the record interface has a word for it, which the newer generation borrows. */
export const period: Fact<State | null> = {
  name: 'date_range',
  keptIn: ['date_range'],
  initial: () => null,
  older: {
    say: ({ draw }) => {
      const after = drawn(draw)
      return { sent: { date_range: after && { value: String(after.from), value2: after.to } }, after }
    },
    show: (state) => ({
      date_range:
        state === null ? [] : { value: String(state.from), value2: String(state.to), duration: state.to - state.from },
    }),
  },
  newer: {
    say: ({ draw }) => {
      const after = drawn(draw)
      return { sent: { attributes: { date_range: newerPeriod(after) } }, after }
    },
    show: (state) => ({ attributes: { date_range: newerPeriod(state) } }),
  },
}

function drawn(draw: fc.GeneratorValue): State | null {
  if (draw(fc.integer, { min: 0, max: 3 }) === 0) return null
  const from = anySecond(draw)
  return { from, to: from + draw(fc.integer, { min: 0, max: 100_000 }) }
}

const newerPeriod = (state: State | null) => state && { value: isoTime(state.from), end_value: isoTime(state.to) }
