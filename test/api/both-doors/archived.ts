import * as fc from 'fast-check'
import type { Fact, Older, Saying } from './fact.ts'
import { anySecond, isoTime, one } from './kinds.ts'

/** Since when it is archived, 0 where it is not; and whether it was last said as a yes or no. */
interface State {
  readonly since: number
  readonly saidAsYesNo: boolean
}

type Way = (saying: Saying<State>) => readonly [Older, State]

const ways: readonly Way[] = [
  ({ before, now }) => [{ status: 'archived' }, before.since === 0 ? { since: now, saidAsYesNo: false } : before],
  ({ before }) => [{ status: 'active' }, before.since === 0 ? before : { since: 0, saidAsYesNo: false }],
  ({ before, now }) => [
    { status: 'archived', archived: true },
    { since: before.since || now, saidAsYesNo: true },
  ],
  ({ before, now }) => [{ archived: true }, { since: before.since || now, saidAsYesNo: true }],
  () => [{ archived: false }, { since: 0, saidAsYesNo: true }],
  () => [{ archived: null }, { since: 0, saidAsYesNo: false }],
  ({ draw }) => {
    const since = anySecond(draw) + 1
    return [{ archived: isoTime(since) }, { since, saidAsYesNo: false }]
  },
  // At odds: whichever of the two changes something.
  ({ draw, before, isNew }) => {
    const since = anySecond(draw) + 1
    const isKept = isNew || before.since !== 0
    return [
      { status: 'active', archived: since },
      { since: isKept ? 0 : since, saidAsYesNo: false },
    ]
  },
  ({ draw }) => {
    const since = anySecond(draw) + 1
    return [
      { archived: true, last_archived: since },
      { since, saidAsYesNo: true },
    ]
  },
  ({ draw, before }) => {
    const since = anySecond(draw) + 1
    return [{ last_archived: since }, before.since === 0 ? before : { ...before, since }]
  },
]

/** Two faces of one time in the newer generation; areas are never archived in the record interface. */
const archived = (older: Fact<State>['older']): Fact<State> => ({
  name: 'archived',
  keptIn: ['archived', 'archived_yes_no'],
  initial: () => ({ since: 0, saidAsYesNo: false }),
  ...(older === undefined ? {} : { older }),
  newer: {
    say: (saying) => {
      const [attributes, after] = one(saying.draw, ways)(saying)
      return { sent: { attributes }, after }
    },
    show: ({ since, saidAsYesNo }) => ({
      attributes: {
        status: since === 0 ? 'active' : 'archived',
        archived: saidAsYesNo ? since !== 0 : since === 0 ? null : isoTime(since),
      },
    }),
  },
})

export const archivedArea = archived(undefined)

export const archivedAsset = archived({
  say: ({ draw, before }) => {
    const since = draw(fc.boolean) ? 0 : anySecond(draw)
    return { sent: { archived: String(since) }, after: since === before.since ? before : { since, saidAsYesNo: false } }
  },
  show: ({ since }) => ({ archived: String(since) }),
})
