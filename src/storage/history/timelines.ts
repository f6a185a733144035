import type { ExpressionBuilder } from 'kysely'
import type { Transaction } from '../database.ts'
import { insertAll } from '../sql/insertion.ts'
import { asTable, prepared, preparedChange } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'
import type { Tables } from '../sql/tables.ts'
import { forever, rowsOfStay, type Stay, type StayKind } from './stay-rows.ts'

/** Enters stays into their assets' timelines: each lasts until the next one of its asset, and the one before lasts until it. */
export async function addStays(tx: Transaction, stays: readonly Stay[]): Promise<void> {
  for (const kind of ['movement', 'membership'] as const) {
    await addToTimelines(
      tx,
      kind,
      stays.filter((stay) => stay.kind === kind),
    )
  }
}

async function addToTimelines(tx: Transaction, kind: StayKind, stays: readonly Stay[]): Promise<void> {
  const points = stays.flatMap(pointsOf).sort(byTimeline)
  const beside = await neighboursOf(tx, kind, points)
  const ends = new Map<string, number>()
  const ended = new Map<string, Ended>()
  for (const [index, point] of points.entries()) {
    const { previous, next } = beside.get(nameOf(point)) ?? alone
    const following = points[index + 1]
    const nextAdded = following?.asset === point.asset ? following.timestamp : forever
    ends.set(nameOf(point), Math.min(next, nextAdded))
    // Of those that are added after the same stay, the first ends it.
    if (previous !== undefined && !ended.has(nameOf(previous)))
      ended.set(nameOf(previous), { ...previous, until: point.timestamp })
  }
  const entries = stays
    .flatMap(rowsOfStay)
    .map((row) => ({ ...row, until: ends.get(nameOf({ asset: row.asset_id, log: row.log_id })) ?? forever }))
  await insertAll(tx, 'stay', entries)
  await endStays(tx, kind, [...ended.values()])
}

export async function removeStay(tx: Transaction, stay: Stay): Promise<void> {
  const { kind, log, assets } = stay
  await deleteStays(tx, { kind, log, assets })
  const beside = await neighboursOf(tx, kind, pointsOf(stay))
  const ended = [...beside.values()].flatMap(({ previous, next }) =>
    previous === undefined ? [] : [{ ...previous, until: next }],
  )
  await endStays(tx, kind, ended)
}

type StaysOf = Pick<Stay, 'kind' | 'log' | 'assets'>

const deleteStays = preparedChange((tx, { kind, log, assets }: StaysOf) =>
  tx.deleteFrom('stay').where('kind', '=', kind).where('log_id', '=', log).where('asset_id', 'in', assets),
)

/** Where a log stands in the timeline of an asset. */
interface Point {
  readonly asset: number
  readonly timestamp: number
  readonly log: number
}

const pointsOf = ({ assets, timestamp, log }: Stay): readonly Point[] =>
  assets.map((asset) => ({ asset, timestamp, log }))

const byTimeline = (a: Point, b: Point): number => a.asset - b.asset || a.timestamp - b.timestamp || a.log - b.log

const nameOf = ({ asset, log }: Omit<Point, 'timestamp'>): string => `${asset} ${log}`

interface Neighbours {
  /** The stay just before. */
  readonly previous: Point | undefined
  /** When the one just after begins. */
  readonly next: number
}

const alone: Neighbours = { previous: undefined, next: forever }

/** What stands beside each of these points in its timeline, by their names. */
async function neighboursOf(
  tx: Transaction,
  kind: StayKind,
  points: readonly Point[],
): Promise<ReadonlyMap<string, Neighbours>> {
  const found = await inSlices(points, (slice) => neighbours(tx, { kind, ...columnsOf(slice) }))
  return new Map(
    found.map(({ asset, log, previousTime, previousLog, next }) => [
      nameOf({ asset, log }),
      {
        previous:
          previousTime === null || previousLog === null
            ? undefined
            : { asset, timestamp: previousTime, log: previousLog },
        next: next ?? forever,
      },
    ]),
  )
}

type PointColumns = {
  readonly assets: readonly number[]
  readonly timestamps: readonly number[]
  readonly logs: readonly number[]
}

const columnsOf = (points: readonly Point[]): PointColumns => ({
  assets: points.map(({ asset }) => asset),
  timestamps: points.map(({ timestamp }) => timestamp),
  logs: points.map(({ log }) => log),
})

/**
 * What of each asset's timeline comes just before and just after a point, by time and then by log: first among those of the
 * same time, then among all others. So both engines step straight to the place; asked in one, as an `or` or as pairs, SQLite
 * would walk there past all of the same time, if not from the timeline's end.
 */
const neighbours = prepared(
  (snapshot, { kind, assets, timestamps, logs }: PointColumns & { readonly kind: StayKind }) => {
    const beside = (stays: Stays, column: 'timestamp' | 'log_id', beyond: '<' | '>') => {
      const direction = beyond === '<' ? 'desc' : 'asc'
      const timeline = stays
        .selectFrom('stay')
        .select(`stay.${column}`)
        .where('stay.kind', '=', kind)
        .whereRef('stay.asset_id', '=', 'point.asset')
        .limit(1)
      const atTheSameTime = timeline
        .whereRef('stay.timestamp', '=', 'point.timestamp')
        .whereRef('stay.log_id', beyond, 'point.log')
        .orderBy('stay.log_id', direction)
      const atAnother = timeline
        .whereRef('stay.timestamp', beyond, 'point.timestamp')
        .orderBy('stay.timestamp', direction)
        .orderBy('stay.log_id', direction)
      return stays.fn.coalesce(atTheSameTime, atAnother)
    }
    return snapshot
      .with('point(asset, timestamp, log)', () => asTable<Point>(assets, timestamps, logs))
      .selectFrom('point')
      .select((stays) => [
        'point.asset',
        'point.log',
        beside(stays, 'timestamp', '<').as('previousTime'),
        beside(stays, 'log_id', '<').as('previousLog'),
        beside(stays, 'timestamp', '>').as('next'),
      ])
  },
)

type Stays = ExpressionBuilder<Tables & { point: Point }, 'point'>

interface Ended extends Point {
  readonly until: number
}

/**
 * Sets when stays end. SQLite, given many different ones at once, would build a table of them, which takes longer than one by
 * one; but herds move together, and most assets of a log share the log before.
 */
async function endStays(tx: Transaction, kind: StayKind, ended: readonly Ended[]): Promise<void> {
  if (tx.engine === 'sqlite') {
    for (const { assets, ...shared } of endedTogether(ended)) {
      await inSlices(assets, (slice) => endHerd(tx, { kind, ...shared, assets: slice }))
    }
  } else {
    const untils = (slice: readonly Ended[]) => slice.map(({ until }) => until)
    await inSlices(ended, (slice) => endMany(tx, { kind, ...columnsOf(slice), untils: untils(slice) }))
  }
}

/** What of many assets ends together. */
interface EndedTogether extends Omit<Ended, 'asset'> {
  readonly assets: number[]
}

function endedTogether(ended: readonly Ended[]): Iterable<EndedTogether> {
  const together = new Map<string, EndedTogether>()
  for (const { asset, timestamp, log, until } of ended) {
    const name = `${log} ${until}`
    const ended = together.get(name)
    if (ended === undefined) together.set(name, { timestamp, log, until, assets: [asset] })
    else ended.assets.push(asset)
  }
  return together.values()
}

type HerdEnd = { readonly kind: StayKind; readonly assets: readonly number[] } & {
  readonly [K in 'timestamp' | 'log' | 'until']: number
}
type Ends = PointColumns & { readonly kind: StayKind; readonly untils: readonly number[] }

const endHerd = prepared((tx: Transaction, { kind, assets, timestamp, log, until }: HerdEnd) =>
  tx
    .updateTable('stay')
    .set({ until })
    .where('kind', '=', kind)
    .where('asset_id', 'in', assets)
    .where('timestamp', '=', timestamp)
    .where('log_id', '=', log),
)

const endMany = prepared((tx: Transaction, { kind, assets, timestamps, logs, untils }: Ends) =>
  tx
    .with('ended(asset, timestamp, log, until)', () => asTable<Ended>(assets, timestamps, logs, untils))
    .updateTable('stay')
    .from('ended')
    .set((stay) => ({ until: stay.ref('ended.until') }))
    .where('stay.kind', '=', kind)
    .whereRef('stay.asset_id', '=', 'ended.asset')
    .whereRef('stay.timestamp', '=', 'ended.timestamp')
    .whereRef('stay.log_id', '=', 'ended.log'),
)
