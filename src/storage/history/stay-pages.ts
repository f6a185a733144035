import type { Engine, Snapshot } from '../database.ts'
import { toTarget } from '../records/path.ts'
import { ask, type Fragment, fragment, joined, listed, word } from '../sql/fragment.ts'
import { haveMoreSince, placeTypes, type StayKind } from './stay-rows.ts'

/** An asset in one place: from when until when, and by which log. */
export interface StayInPlace {
  readonly asset: number
  readonly began: number
  readonly log: number
  readonly place: number
  /** The start of the next stay, or the time of archiving; `forever` if neither is known. */
  readonly ended: number
}

export type PositionOfStay = Omit<StayInPlace, 'ended'>

/** Stays that began by now, have a length, and overlap `from` to before `to`. */
export interface StayQuery {
  readonly kind: StayKind
  readonly now: number
  readonly from: number
  readonly to: number
  /** None: all assets. */
  readonly assets: readonly number[]
  /** None: all places. */
  readonly areas: readonly number[]
  /** Decides whether areas below count. */
  readonly within: 'these areas' | 'these and all below'
  /** Only those behind it, by asset, time, log and place. */
  readonly after: PositionOfStay | undefined
  readonly limit: number
}

export interface StayPage {
  readonly stays: readonly StayInPlace[]
  /** The cursor of the next page; undefined on the last page. */
  readonly last: PositionOfStay | undefined
}

/** One page of stays, by asset, time and log. One more is fetched, to know whether a next page exists. */
export async function stayPage(snapshot: Snapshot, asked: StayQuery): Promise<StayPage> {
  const found = await pageOfStays(snapshot, { ...asked, limit: asked.limit + 1 })
  const stays = found.slice(0, asked.limit)
  return { stays, last: found.length > asked.limit ? stays.at(-1) : undefined }
}

export async function pageOfStays(snapshot: Snapshot, asked: StayQuery): Promise<readonly StayInPlace[]> {
  const isByPlace = asked.areas.length > 0 && asked.assets.length === 0 && !(await isCrowded(snapshot, asked))
  return ask(snapshot, isByPlace ? inTheirPlaces(asked) : alongTimelines[snapshot.engine](asked))
}

/** True if sorting the stays of these places for each page takes longer than walking along all. */
const isCrowded = (snapshot: Snapshot, asked: StayQuery): Promise<boolean> =>
  haveMoreSince(snapshot, {
    kind: asked.kind,
    before: placesOf(asked),
    places: word('select id from wanted'),
    second: asked.from,
    most: 2 * asked.limit,
  })

const columns = word(`stay.thing_id as asset, stay.timestamp as began, stay.log_id as log, stay.place_id as place,
  case when asset.archived <> 0 and asset.archived < stay.until then asset.archived else stay.until end as ended`)

/** Walks from asset to asset, and seeks in each timeline: stays come in order, and only as many as needed. */
const alongTimelines: Readonly<Record<Engine, (asked: StayQuery) => Fragment>> = {
  sqlite: (asked) =>
    fragment`${placesOf(asked)} select ${columns} from asset join stay on ${inTimeline(asked)}
      where ${assetsWanted(asked)} ${inOrder(asked)}`,
  // Not told so, it might rather read all stays and sort them.
  postgres: (asked) =>
    fragment`${placesOf(asked)} select ${columns} from asset cross join lateral (
      select * from stay where ${inTimeline(asked)} order by timestamp, log_id, place_type, place_id limit ${asked.limit}) as stay
      where ${assetsWanted(asked)} ${inOrder(asked)}`,
}

/** Assets, in areas or groups. */
const ofAssets = ({ kind }: StayQuery): Fragment =>
  fragment`stay.kind = ${kind} and stay.thing_type = 'asset' and stay.place_type = ${placeTypes[kind]}`

const inTimeline = (asked: StayQuery): Fragment =>
  joined(
    [
      fragment`${ofAssets(asked)} and stay.thing_id = asset.id and stay.timestamp >= ${beginningOf(asked)}`,
      ...inPlaces(asked),
      ...during(asked),
    ],
    ' and ',
  )

/** For a few places all stays are read and sorted. */
const inTheirPlaces = (asked: StayQuery): Fragment =>
  fragment`${placesOf(asked)} select ${columns} from stay join asset on asset.id = stay.thing_id
    where ${joined([ofAssets(asked), ...inPlaces(asked), fragment`stay.until > ${asked.from}`, ...during(asked)], ' and ')}
    ${inOrder(asked)}`

const assetsWanted = ({ assets, after }: StayQuery): Fragment =>
  joined(
    [
      fragment`asset.id >= ${after?.asset ?? 0}`,
      ...(assets.length === 0 ? [] : [fragment`asset.id in (${listed(assets)})`]),
    ],
    ' and ',
  )

/** Of the stays before the period, only the last can overlap it. */
function beginningOf({ kind, from, after }: StayQuery): Fragment {
  const reaching = fragment`coalesce((select max(earlier.timestamp) from stay as earlier
    where earlier.kind = ${kind} and earlier.thing_type = 'asset' and earlier.thing_id = asset.id and earlier.timestamp <= ${from}), ${from})`
  return after === undefined
    ? reaching
    : fragment`case when asset.id = ${after.asset} then ${after.began} else ${reaching} end`
}

function during({ now, from, to, after }: StayQuery): readonly Fragment[] {
  const position = word('(stay.thing_id, stay.timestamp, stay.log_id, stay.place_id)')
  return [
    fragment`stay.timestamp <= ${Math.min(now, to - 1)}`,
    fragment`stay.until > stay.timestamp and stay.until > ${from}`,
    fragment`(asset.archived = 0 or (asset.archived > stay.timestamp and asset.archived > ${from}))`,
    ...(after === undefined
      ? []
      : [fragment`${position} > (${listed([after.asset, after.began, after.log, after.place])})`]),
  ]
}

const inOrder = ({ limit }: StayQuery): Fragment =>
  fragment`order by asset.id, stay.timestamp, stay.log_id, stay.place_type, stay.place_id limit ${limit}`

const inPlaces = ({ areas }: StayQuery): readonly Fragment[] =>
  areas.length === 0 ? [] : [word('stay.place_id in (select id from wanted)')]

/** Each area once, so that a circle among them ends too. */
function placesOf({ areas, within }: StayQuery): Fragment {
  if (areas.length === 0) return word('')
  const these = fragment`select id from term where id in (${listed(areas)})`
  if (within === 'these areas') return fragment`with wanted as (${these})`
  return fragment`with recursive wanted(id) as (${these} union select reference.source_id from wanted
    join reference on reference.path = ${parentOfTerm} and reference.target_id = wanted.id)`
}

const parentOfTerm = toTarget('term', { field: 'parent', target: 'term' })
