import type { JSX } from 'preact'
import { pageOf } from '../../look/address-of.ts'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { InPencil } from '../../look/in-pencil.tsx'
import { Loading } from '../../look/loading.tsx'
import { chosenDay, isBeforeCopy, momentOf } from '../../look/moment.ts'
import { dotted } from '../../look/names.ts'
import { cameFrom, type Occupant, occupantsAmong, occupantsOf } from '../../look/place/occupants.ts'
import { replace, withQuery } from '../../look/router.ts'
import { Row } from '../../look/row.tsx'
import { isOnFarm, type KeptRecord } from '../../store/record.ts'
import { restOf } from '../../store/stays.ts'

import { type StayColumns, staysIn } from '../../sync/load-stays.ts'
import { day, isoDay, now } from '../../words/format.ts'
import { sinceWords } from './log-words.ts'
import { isStillLoading } from './paged-logs.ts'
import { say } from './say.ts'
import { useRequest } from './use-request.ts'

/** Who and what is in an area, today or on another day. */
export function AreaContents({ area }: { readonly area: KeptRecord }): JSX.Element {
  const chosen = chosenDay()
  const at = chosen === undefined ? now() : momentOf(chosen)
  return (
    <section aria-labelledby="contents">
      <div class="contents-head">
        <h2 class="sub" id="contents">
          {chosen === undefined ? say('area.here-now') : say('area.here-on', { day: day(at) })}
        </h2>
        <label class="day-choice">
          <span>{say('area.on-day')}</span>
          <input
            type="date"
            value={chosen ?? isoDay(now())}
            max={isoDay(now())}
            onChange={({ currentTarget: { value } }) => choose(value)}
          />
        </label>
      </div>
      {isBeforeCopy(at) && isOnFarm(area) ? (
        <AskedContents area={area} at={at} />
      ) : (
        <KeptContents area={area} at={at} />
      )}
    </section>
  )
}

function choose(chosen: string): void {
  replace(withQuery({ at: chosen === '' || chosen === isoDay(now()) ? null : chosen }))
}

interface AtProps {
  readonly area: KeptRecord
  readonly at: number
}

function KeptContents({ area, at }: AtProps): JSX.Element {
  const occupants = occupantsOf(area.id, at)
  const rest = restOf(area.id, at)
  if (occupants.length === 0) return <Nobody rest={rest} />
  return (
    <>
      <Occupants occupants={occupants} />
      {rest !== null && <p class="block soft small">{say('area.rested', { count: rest })}</p>}
    </>
  )
}

function Occupants({ occupants }: { readonly occupants: readonly Occupant[] }): JSX.Element {
  return (
    <ul class="inset">
      {occupants.map((occupant) => (
        <OccupantRow occupant={occupant} key={occupant.asset.uuid} />
      ))}
    </ul>
  )
}

function Nobody({ rest }: { readonly rest: number | null }): JSX.Element {
  if (isStillLoading()) return <p class="block soft">{say('record.still-loading')}</p>
  return (
    <p class="block">
      {chosenDay() === undefined ? say('area.nobody') : say('area.nobody-then')}
      {rest !== null && <span class="soft"> {say('area.rested', { count: rest })}</span>}
    </p>
  )
}

function OccupantRow({ occupant }: { readonly occupant: Occupant }): JSX.Element {
  const { asset, icon, count, since, until, waiting } = occupant
  const before = cameFrom(occupant)
  return (
    <Row
      to={pageOf(asset)}
      margin={<Icon name={icon} />}
      title={<bdi>{count > 1 ? say('asset.group', { name: asset.name, count }) : asset.name}</bdi>}
      second={
        <InPencil waiting={waiting}>
          {dotted([
            until === null ? sinceWords(since) : say('area.from-until', { from: day(since), until: day(until) }),
            before === undefined ? undefined : say('record.from', { places: before }),
          ])}
        </InPencil>
      }
      end={<Icon name="next" size="small" />}
    />
  )
}

/** A day from before the copy begins. */
function AskedContents({ area, at }: AtProps): JSX.Element {
  const then = `from=${at}&to=${at + 1}`
  const { answer, again } = useRequest<StayColumns>(`/stays?area=${area.id}&${then}`)
  const groups = useRequest<StayColumns>(`/stays?kind=membership&${then}`)
  if (answer?.failure) return <Failed failure={answer} onRetry={again} />
  if (groups.answer?.failure) return <Failed failure={groups.answer} onRetry={groups.again} />
  if (!answer || !groups.answer) return <Loading />
  const memberships = staysIn(groups.answer.body)
  const groupsThen = (asset: string) => memberships.flatMap((one) => (one.asset === asset ? (one.place ?? []) : []))
  const occupants = occupantsAmong(staysIn(answer.body), groupsThen)
  return occupants.length === 0 ? <Nobody rest={null} /> : <Occupants occupants={occupants} />
}
