import type { Snapshot } from '../database.ts'
import { isPresent, type PointInTime } from '../farm-state.ts'
import { fragment, inSlices, listed, word } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import type { ThingType } from '../sql/tables.ts'
import { pageOfStays } from './stay-pages.ts'
import { forever, haveMoreSince, placeTypes, type StayKind } from './stay-rows.ts'

interface Places {
  readonly places: readonly number[]
  readonly time: PointInTime
}

/** The assets that stay in each of these places at that time, without those that are archived by then, by place. */
export async function occupants(
  snapshot: Snapshot,
  kind: StayKind,
  { places, time }: Places,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const isLongAgo = await haveMuchSince(snapshot, kind, { places, time })
  const found = isLongAgo
    ? await everyStayAt(snapshot, kind, { places, time })
    : await inSlices(places, (slice) =>
        staysAt(snapshot, { kind, placeType: placeTypes[kind], places: slice, ...time }),
      )
  const byPlace = new Map<number, number[]>()
  // Asked to sort by asset, SQLite reads the timelines of all assets instead of the places.
  for (const { place, asset } of found.toSorted((a, b) => a.asset - b.asset)) {
    const there = byPlace.get(place)
    if (there === undefined) byPlace.set(place, [asset])
    else there.push(asset)
  }
  return byPlace
}

type PlacesAt = {
  readonly kind: StayKind
  readonly placeType: ThingType
  readonly places: readonly number[]
} & PointInTime

const staysAt = prepared((snapshot, { kind, placeType, places, second, archivedBy }: PlacesAt) =>
  snapshot
    .selectFrom('stay')
    .innerJoin('asset', 'asset.id', 'stay.thing_id')
    .select(['stay.place_id as place', 'stay.thing_id as asset'])
    .where('stay.kind', '=', kind)
    .where('stay.thing_type', '=', 'asset')
    .where('stay.place_type', '=', placeType)
    .where('stay.place_id', 'in', places)
    .where('stay.until', '>', second)
    .where('stay.timestamp', '<=', second)
    .where((asset) => asset.or([asset('asset.archived', '=', 0), asset('asset.archived', '>', archivedBy)])),
)

/** Above this it takes longer to pass what has been in the places since than to ask every asset where it was. */
const muchSince = 5_000

/** A lookup in the past passes all later stays; for the present there are none. */
async function haveMuchSince(snapshot: Snapshot, kind: StayKind, { places, time }: Places): Promise<boolean> {
  if (isPresent(time)) return false
  const table = word(placeTypes[kind])
  const asked = await inSlices(places, async (slice) => [
    await haveMoreSince(snapshot, {
      kind,
      places: fragment`select id from ${table} where id in (${listed(slice)})`,
      second: time.second,
      most: muchSince,
    }),
  ])
  return asked.includes(true)
}

async function everyStayAt(snapshot: Snapshot, kind: StayKind, { places, time: { second } }: Places) {
  const during = { from: second, to: second + 1, now: second }
  const everywhere = { assets: [], areas: [], within: 'these areas', after: undefined, limit: forever } as const
  const wanted = new Set(places)
  return (await pageOfStays(snapshot, { kind, ...during, ...everywhere })).filter(({ place }) => wanted.has(place))
}
