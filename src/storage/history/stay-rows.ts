import type { Engine, Snapshot, Transaction } from '../database.ts'
import { ask, type Fragment, fragment, inSlices, word } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import type { StayRow, ThingType } from '../sql/tables.ts'

export type { ThingType }
export type StayKind = StayRow['kind']

export const stayKinds: readonly StayKind[] = ['movement', 'membership']
export const thingTypes: readonly ThingType[] = ['asset', 'term']

/** One thing that logs speak of: an asset, or an area. */
export interface PlacedThing {
  readonly type: ThingType
  readonly id: number
}

export interface PlacedThings {
  readonly type: ThingType
  readonly ids: readonly number[]
}

export type ByThing<T> = Readonly<Record<ThingType, ReadonlyMap<number, T>>>

/** One log put these things into these places, or nowhere: a movement that gives only a geometry, or one that leaves every place. */
export interface Stay {
  readonly kind: StayKind
  readonly things: PlacedThings
  readonly timestamp: number
  readonly log: number
  readonly places: readonly PlacedThing[]
}

/** The place type that every stay of a kind has at least one of. */
export const placeTypes: Readonly<Record<StayKind, ThingType>> = { movement: 'term', membership: 'asset' }

export const nowhere = 0
export const forever = Number.MAX_SAFE_INTEGER

/** A row for each thing in each place; when they end depends on others. */
export const rowsOfStay = ({ kind, things, timestamp, log: log_id, places }: Stay): readonly Omit<StayRow, 'until'>[] =>
  things.ids.flatMap((thing_id) =>
    places.map(({ type: place_type, id: place_id }) => ({
      kind,
      thing_type: things.type,
      thing_id,
      timestamp,
      log_id,
      place_type,
      place_id,
    })),
  )

type ThingsAt = { readonly kind: StayKind; readonly ids: readonly number[]; readonly now: number }

/** The deciding log of each thing at that time; things without one are missing. */
export async function decidingLogs(
  snapshot: Snapshot,
  { type, ids }: PlacedThings,
  { kind, now }: { readonly kind: StayKind; readonly now: number },
): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(ids, (slice) => latestStays[type](snapshot, { kind, ids: slice, now }))
  return new Map(found.flatMap((row) => (row.log_id === null ? [] : [[row.id, row.log_id]])))
}

const latestStays = { asset: latestStaysOf('asset'), term: latestStaysOf('term') }

function latestStaysOf(type: ThingType) {
  // Both tables have what is asked for here.
  const things = type as 'asset'
  return prepared((snapshot, { kind, ids, now }: ThingsAt) =>
    snapshot
      .selectFrom(things)
      .select((select) => [
        `${things}.id`,
        select
          .selectFrom('stay')
          .select('stay.log_id')
          .where('stay.kind', '=', kind)
          .where('stay.thing_type', '=', type)
          .whereRef('stay.thing_id', '=', `${things}.id`)
          .where('stay.timestamp', '<=', now)
          .orderBy('stay.timestamp', 'desc')
          .orderBy('stay.log_id', 'desc')
          .limit(1)
          .as('log_id'),
      ])
      .where(`${things}.id`, 'in', ids),
  )
}

/** A thing that is in another of its kind of place, from when until when. */
export interface NestedPlace {
  readonly thing: PlacedThing
  readonly place: PlacedThing
  readonly from: number
  readonly until: number
  readonly log: number
}

/** Stays of everything that others were ever put into. */
export async function placesInPlaces(snapshot: Snapshot, kind: StayKind): Promise<readonly NestedPlace[]> {
  const found = await staysOfPlaces(snapshot, { kind })
  return found.map(({ thing_type, thing_id, place_type, place_id, timestamp, until, log_id }) => ({
    thing: { type: thing_type, id: thing_id },
    place: { type: place_type, id: place_id },
    from: timestamp,
    until,
    log: log_id,
  }))
}

const staysOfPlaces = prepared((snapshot, { kind }: { readonly kind: StayKind }) =>
  snapshot
    .selectFrom('stay')
    .selectAll('stay')
    .where('kind', '=', kind)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('stay as inside')
          .select('inside.log_id')
          .where('inside.kind', '=', kind)
          .whereRef('inside.place_type', '=', 'stay.thing_type')
          .whereRef('inside.place_id', '=', 'stay.thing_id'),
      ),
    )
    .orderBy('thing_type')
    .orderBy('thing_id')
    .orderBy('timestamp')
    .orderBy('log_id'),
)

/** The time at which the next stay of the same thing begins, or never. */
export const endOfStay = fragment`coalesce((
  select later.timestamp from stay as later
  where later.kind = stay.kind and later.thing_type = stay.thing_type and later.thing_id = stay.thing_id
    and (later.timestamp, later.log_id) > (stay.timestamp, stay.log_id)
  order by later.timestamp, later.log_id limit 1
), ${word(`${forever}`)})`

/** Ends every stay when the next one begins. */
export async function endAllStays(tx: Transaction): Promise<void> {
  await ask(tx, fragment`update stay set until = ${endOfStay}`)
}

interface StaysSince {
  readonly kind: StayKind
  /** A CTE that names the places. */
  readonly before?: Fragment
  /** A query that gives the id of each place. */
  readonly places: Fragment
  readonly second: number
  readonly most: number
}

/** True if more stays than that ended in these places since that second, or still last; reads no more of them. */
export async function haveMoreSince(snapshot: Snapshot, since: StaysSince): Promise<boolean> {
  const { before = word(''), places, most } = since
  const [counted] = await ask<{ count: number }>(
    snapshot,
    fragment`${before} select count(*) as count from (select 1 from (${places}) as place ${inEach[snapshot.engine](since)}
      limit ${most + 1}) as since`,
  )
  return Number(counted?.count) > most
}

/** Seeks from place to place along the index: PostgreSQL alone would read the whole table. */
const inEach: Readonly<Record<Engine, (since: StaysSince) => Fragment>> = {
  sqlite: ({ kind, second }) =>
    fragment`cross join stay where stay.kind = ${kind} and stay.place_type = ${placeTypes[kind]} and stay.place_id = place.id and stay.until > ${second}`,
  postgres: ({ kind, second, most }) =>
    fragment`cross join lateral (select 1 from stay where stay.kind = ${kind} and stay.place_type = ${placeTypes[kind]} and stay.place_id = place.id
      and stay.until > ${second} order by stay.until limit ${most + 1}) as stays`,
}
