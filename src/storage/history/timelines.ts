import type { ExpressionBuilder } from 'kysely'
import type { Transaction } from '../database.ts'
import { inSlices, slicesOf } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { asTable, prepared, preparedSending } from '../sql/prepared.ts'
import type { Tables } from '../sql/tables.ts'
import {
  forever,
  type PlacedThing,
  rowsOfStay,
  type Stay,
  type StayKind,
  stayKinds,
  type ThingType,
  thingTypes,
} from './stay-rows.ts'

/**
 * Enters stays into their things' timelines: each lasts until the next one of its thing, and the one before lasts until it. Answers
 * what moves that other things were ever put into.
 */
export async function addStays(tx: Transaction, stays: readonly Stay[]): Promise<readonly PlacedThing[]> {
  const places: PlacedThing[] = []
  for (const kind of stayKinds) {
    const ofKind = stays.filter((stay) => stay.kind === kind)
    for (const type of thingTypes) {
      const these = ofKind.filter(({ things }) => things.type === type)
      const found = await addToTimelines(tx, { kind, type }, these)
      if (kind === 'movement') places.push(...[...found, ...placesAmong(these, ofKind)].map((id) => ({ type, id })))
    }
  }
  return places
}

/** The things of some stays that are places of others which are added with them. */
function placesAmong(some: readonly Stay[], all: readonly Stay[]): readonly number[] {
  const type = some[0]?.things.type
  const places = new Set(all.flatMap((stay) => stay.places.flatMap((place) => (place.type === type ? [place.id] : []))))
  return some.flatMap(({ things }) => things.ids.filter((id) => places.has(id)))
}

/** Timelines of one kind, of things of one type. */
interface Timelines {
  readonly kind: StayKind
  readonly type: ThingType
}

async function addToTimelines(
  tx: Transaction,
  timelines: Timelines,
  stays: readonly Stay[],
): Promise<readonly number[]> {
  const points = stays.flatMap(pointsOf).sort(byTimeline)
  const beside = await neighboursOf(tx, timelines, points)
  const ends = new Map<string, number>()
  const ended = new Map<string, StayEnd>()
  for (const [index, point] of points.entries()) {
    const { previous, next } = beside.get(nameOf(point)) ?? alone
    const following = points[index + 1]
    const nextAdded = following?.thing === point.thing ? following.timestamp : forever
    ends.set(nameOf(point), Math.min(next, nextAdded))
    // Of those added after the same stay, the first ends it.
    if (previous !== undefined && !ended.has(nameOf(previous)))
      ended.set(nameOf(previous), { ...previous, until: point.timestamp })
  }
  const entries = stays
    .flatMap(rowsOfStay)
    .map((row) => ({ ...row, until: ends.get(nameOf({ thing: row.thing_id, log: row.log_id })) ?? forever }))
  await insertAll(tx, 'stay', entries)
  await endStays(tx, timelines, [...ended.values()])
  return points.flatMap((point) => (beside.get(nameOf(point))?.isPlace ? [point.thing] : []))
}

/** Takes stays out of their things' timelines: the one before lasts until the next one that is left. */
export async function removeStays(tx: Transaction, stays: readonly Stay[]): Promise<void> {
  for (const kind of stayKinds) {
    for (const type of thingTypes) {
      const these = stays.filter((stay) => stay.kind === kind && stay.things.type === type)
      if (these.length > 0) await removeFromTimelines(tx, { kind, type }, these)
    }
  }
}

async function removeFromTimelines(tx: Transaction, timelines: Timelines, stays: readonly Stay[]): Promise<void> {
  const points = stays.flatMap(pointsOf)
  await deletePoints(tx, timelines, points)
  const ended = new Map<string, StayEnd>()
  for (const { previous, next } of (await neighboursOf(tx, timelines, points)).values())
    if (previous !== undefined) ended.set(nameOf(previous), { ...previous, until: next })
  await endStays(tx, timelines, [...ended.values()])
}

/** SQLite deletes what one log says of many things at once, and takes longer to make a table of several logs. */
async function deletePoints(tx: Transaction, timelines: Timelines, points: readonly Point[]): Promise<void> {
  if (tx.engine === 'postgres' && points.length > 1) {
    for (const slice of slicesOf(points)) await deleteMany(tx, { ...timelines, ...columnsOf(slice) })
    return
  }
  const byLog = new Map<number, number[]>()
  for (const { log, thing } of points) byLog.set(log, [...(byLog.get(log) ?? []), thing])
  for (const [log, ids] of byLog) await deleteStays(tx, { ...timelines, log, ids })
}

type StaysOf = Timelines & { readonly log: number; readonly ids: readonly number[] }

const deleteStays = preparedSending((tx, { kind, type, log, ids }: StaysOf) =>
  tx
    .deleteFrom('stay')
    .where('kind', '=', kind)
    .where('log_id', '=', log)
    .where('thing_type', '=', type)
    .where('thing_id', 'in', ids),
)

const deleteMany = preparedSending((tx, { kind, type, things, timestamps, logs }: PointColumns & Timelines) =>
  tx
    .with('gone(thing, timestamp, log)', () => asTable<Point>(things, timestamps, logs))
    .deleteFrom('stay')
    .using('gone')
    .where('stay.kind', '=', kind)
    .where('stay.thing_type', '=', type)
    .whereRef('stay.thing_id', '=', 'gone.thing')
    .whereRef('stay.timestamp', '=', 'gone.timestamp')
    .whereRef('stay.log_id', '=', 'gone.log'),
)

/** The position of a log in the timeline of a thing. */
interface Point {
  readonly thing: number
  readonly timestamp: number
  readonly log: number
}

const pointsOf = ({ things, timestamp, log }: Stay): readonly Point[] =>
  things.ids.map((thing) => ({ thing, timestamp, log }))

const byTimeline = (a: Point, b: Point): number => a.thing - b.thing || a.timestamp - b.timestamp || a.log - b.log

const nameOf = ({ thing, log }: Omit<Point, 'timestamp'>): string => `${thing} ${log}`

interface Neighbours {
  /** The stay just before. */
  readonly previous: Point | undefined
  /** The start of the next stay. */
  readonly next: number
  /** True if others were ever put into the thing. */
  readonly isPlace: boolean
}

const alone: Neighbours = { previous: undefined, next: forever, isPlace: false }

/** The neighbours of each point in its timeline, by name. */
async function neighboursOf(
  tx: Transaction,
  timelines: Timelines,
  points: readonly Point[],
): Promise<ReadonlyMap<string, Neighbours>> {
  const found = await inSlices(points, (slice) => neighbours(tx, { ...timelines, ...columnsOf(slice) }))
  return new Map(
    found.map(({ thing, log, previousTime, previousLog, next, inside }) => [
      nameOf({ thing, log }),
      {
        previous:
          previousTime === null || previousLog === null
            ? undefined
            : { thing, timestamp: previousTime, log: previousLog },
        next: next ?? forever,
        isPlace: inside !== null,
      },
    ]),
  )
}

type PointColumns = {
  readonly things: readonly number[]
  readonly timestamps: readonly number[]
  readonly logs: readonly number[]
}

const columnsOf = (points: readonly Point[]): PointColumns => ({
  things: points.map(({ thing }) => thing),
  timestamps: points.map(({ timestamp }) => timestamp),
  logs: points.map(({ log }) => log),
})

/**
 * The stays just before and after a point, by time and then by log: first among those of the same time, then among all
 * others. Both engines seek straight there; as one `or`, or as pairs, SQLite would scan all of the same time, or from
 * the timeline's end.
 */
const neighbours = prepared((snapshot, { kind, type, things, timestamps, logs }: PointColumns & Timelines) => {
  const beside = (stays: Stays, column: 'timestamp' | 'log_id', beyond: '<' | '>') => {
    const direction = beyond === '<' ? 'desc' : 'asc'
    const timeline = stays
      .selectFrom('stay')
      .select(`stay.${column}`)
      .where('stay.kind', '=', kind)
      .where('stay.thing_type', '=', type)
      .whereRef('stay.thing_id', '=', 'point.thing')
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
    .with('point(thing, timestamp, log)', () => asTable<Point>(things, timestamps, logs))
    .selectFrom('point')
    .select((stays) => [
      'point.thing',
      'point.log',
      beside(stays, 'timestamp', '<').as('previousTime'),
      beside(stays, 'log_id', '<').as('previousLog'),
      beside(stays, 'timestamp', '>').as('next'),
      stays
        .selectFrom('stay')
        .select('stay.log_id')
        .where('stay.kind', '=', kind)
        .where('stay.place_type', '=', type)
        .whereRef('stay.place_id', '=', 'point.thing')
        .limit(1)
        .as('inside'),
    ])
})

type Stays = ExpressionBuilder<Tables & { point: Point }, 'point'>

interface StayEnd extends Point {
  readonly until: number
}

/**
 * Sets when stays end. SQLite, given many different ones at once, would build a table of them, which takes longer than one by
 * one; but herds move together, and most things of a log share the log before.
 */
async function endStays(tx: Transaction, timelines: Timelines, ended: readonly StayEnd[]): Promise<void> {
  if (tx.engine === 'sqlite') {
    for (const { things, ...shared } of endedTogether(ended)) {
      for (const slice of slicesOf(things)) await endHerd(tx, { ...timelines, ...shared, things: slice })
    }
  } else {
    for (const slice of slicesOf(ended))
      await endMany(tx, { ...timelines, ...columnsOf(slice), untils: slice.map(({ until }) => until) })
  }
}

/** Stays of many things that end together. */
interface EndedTogether extends Omit<StayEnd, 'thing'> {
  readonly things: number[]
}

function endedTogether(ended: readonly StayEnd[]): Iterable<EndedTogether> {
  const together = new Map<string, EndedTogether>()
  for (const { thing, timestamp, log, until } of ended) {
    const name = `${log} ${until}`
    const ended = together.get(name)
    if (ended === undefined) together.set(name, { timestamp, log, until, things: [thing] })
    else ended.things.push(thing)
  }
  return together.values()
}

type HerdEnd = Timelines & { readonly things: readonly number[] } & {
  readonly [K in 'timestamp' | 'log' | 'until']: number
}
type Ends = Timelines & PointColumns & { readonly untils: readonly number[] }

const endHerd = preparedSending((tx, { kind, type, things, timestamp, log, until }: HerdEnd) =>
  tx
    .updateTable('stay')
    .set({ until })
    .where('kind', '=', kind)
    .where('thing_type', '=', type)
    .where('thing_id', 'in', things)
    .where('timestamp', '=', timestamp)
    .where('log_id', '=', log),
)

const endMany = preparedSending((tx, { kind, type, things, timestamps, logs, untils }: Ends) =>
  tx
    .with('ended(thing, timestamp, log, until)', () => asTable<StayEnd>(things, timestamps, logs, untils))
    .updateTable('stay')
    .from('ended')
    .set((stay) => ({ until: stay.ref('ended.until') }))
    .where('stay.kind', '=', kind)
    .where('stay.thing_type', '=', type)
    .whereRef('stay.thing_id', '=', 'ended.thing')
    .whereRef('stay.timestamp', '=', 'ended.timestamp')
    .whereRef('stay.log_id', '=', 'ended.log'),
)
