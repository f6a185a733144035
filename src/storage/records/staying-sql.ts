import type { PointInTime } from '../history/point-in-time.ts'
import { nowhere, placeTypes, type StayKind } from '../history/stay-rows.ts'
import { type Fragment, fragment } from '../sql/fragment.ts'

interface StayingThen {
  readonly kind: StayKind
  readonly time: PointInTime
}

/** Of assets, in areas or groups. */
const ofAssets = (kind: StayKind): Fragment =>
  fragment`kind = ${kind} and thing_type = 'asset' and place_type = ${placeTypes[kind]}`

/** Looked up from the place, because few assets stay in one place and many places are no asset's. */
export const staysAt = ({ kind, time: { second } }: StayingThen, places: Fragment): Fragment =>
  fragment`record.id in (select thing_id from stay where ${ofAssets(kind)} and place_id in (${places}) and place_id <> ${nowhere}
    and until > ${second} and timestamp <= ${second})`

/** Never moved, or last of all to a bare geometry. */
export const staysNowhere = ({ kind, time: { second } }: StayingThen): Fragment =>
  fragment`coalesce((select place_id from stay where ${ofAssets(kind)} and thing_id = record.id and timestamp <= ${second}
    order by timestamp desc, log_id desc limit 1), ${nowhere}) = ${nowhere}`

export const occupiedPlaces = ({ kind, time: { second, archivedBy } }: StayingThen, like: Fragment): Fragment =>
  fragment`select place_id from stay join asset on asset.id = stay.thing_id where ${ofAssets(kind)} and ${like}
    and until > ${second} and timestamp <= ${second} and (asset.archived = 0 or asset.archived > ${archivedBy})`
