import type { Engine, Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, word } from '../sql/fragment.ts'
import { placeTypes, type StayKind } from './stay-rows.ts'

interface Since {
  readonly kind: StayKind
  /** What comes before a query that names the places. */
  readonly before?: Fragment
  /** A query that gives the id of each place. */
  readonly places: Fragment
  readonly second: number
  readonly most: number
}

/** Whether more stays than that have ended in these places since that second, or still last; it looks at no more of them. */
export async function haveMoreSince(snapshot: Snapshot, since: Since): Promise<boolean> {
  const { before = word(''), places, most } = since
  const [counted] = await ask<{ count: number }>(
    snapshot,
    fragment`${before} select count(*) as count from (select 1 from (${places}) as place ${inEach[snapshot.engine](since)}
      limit ${most + 1}) as since`,
  )
  return Number(counted?.count) > most
}

/** From place to place along the index: left to itself, PostgreSQL reads the whole table for it. */
const inEach: Readonly<Record<Engine, (since: Since) => Fragment>> = {
  sqlite: ({ kind, second }) =>
    fragment`cross join stay where stay.kind = ${kind} and stay.place_type = ${placeTypes[kind]} and stay.place_id = place.id and stay.until > ${second}`,
  postgres: ({ kind, second, most }) =>
    fragment`cross join lateral (select 1 from stay where stay.kind = ${kind} and stay.place_type = ${placeTypes[kind]} and stay.place_id = place.id
      and stay.until > ${second} order by stay.until limit ${most + 1}) as stays`,
}
