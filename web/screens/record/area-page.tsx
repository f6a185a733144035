import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { chosenDay, isBeforeCopy, momentOf } from '../../look/day.ts'
import { wide } from '../../look/desk.ts'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { Link, pageOf } from '../../look/link.tsx'
import { Row } from '../../look/list.tsx'
import { WaitingWords } from '../../look/mark.tsx'
import { dotted } from '../../look/names.ts'
import { Loading, Title } from '../../look/page.tsx'
import { kindOf, mayHaveBeds } from '../../look/place/area-kind.ts'
import { type Occupant, occupantsAmong, occupantsOf, previousPlaceOf } from '../../look/place/occupants.ts'
import { shapesOf, wktOf } from '../../look/place/shapes.ts'
import { replace, withQuery } from '../../look/router.ts'
import { useLogs } from '../../look/use-logs.ts'
import { areasIn, mayWrite, terms } from '../../store/local-copy.ts'
import { idsIn, isArchived, isOnFarm, type LocalRecord } from '../../store/record.ts'
import { restOf } from '../../store/stays.ts'
import { type StayColumns, staysIn } from '../../sync/load-stays.ts'
import { day, isoDay, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { AreaRibbon } from './area-visits.tsx'
import { Facts, factsOf } from './facts.tsx'
import { sinceWords, subjectWords } from './log-words.ts'
import { FilesOf, NoteOf } from './notes.tsx'
import { isStillLoading, useLogsSoFar } from './paged-logs.ts'
import { ownPhotos, Photos, photosOfLogs } from './photos.tsx'
import { RecordFoot } from './record-foot.tsx'
import { Actions, Banners, EditLink, hasActions, SmallMap } from './record-head.tsx'
import { kindOfArea, RecordRows } from './record-rows.tsx'
import { Timeline, TimelineRow, ToDo } from './timeline.tsx'
import { useRequest } from './use-request.ts'

const elsewhere = ['description', 'images', 'files', 'flags', 'parent', 'area_type', 'geofield', 'archived']

export function AreaPage({ area }: { readonly area: LocalRecord }): JSX.Element {
  const logs = useLogs({ area: area.id, done: true, limit: 200 }) ?? []
  return (
    <article class="record">
      <div class="record-map">
        <SmallMap area={area} sides="shown" />
      </div>
      <header class="record-head">
        <EditLink record={area} />
        <Title text={area.name} class="title">
          <bdi>{area.name}</bdi>
        </Title>
        <p class="soft">{kindOfArea(area)}</p>
        {wide.value && <Actions record={area} />}
      </header>
      <div class="record-first">
        <Banners record={area} />
        <AreaContents area={area} />
        <AreaRibbon area={area} />
        <DayChoice />
      </div>
      <AreaTimeline area={area} />
      <div class="record-rest">
        <Photos photos={[...ownPhotos(area), ...photosOfLogs(logs)]} />
        <Facts facts={factsOf(area, { elsewhere })} />
        <NoteOf record={area} field="description" />
        <FilesOf record={area} />
        <RecordRows title={say('area.lies-in')} records={parentsOf(area)} />
        <RecordRows title={say('area.in-it')} records={areasIn(area.id)} />
        <ShapeWays area={area} />
        <p class="words">
          <Link to={`/reports/field-history?area=${area.id}`} class="btn">
            {say('area.history')}
          </Link>
        </p>
        <RecordFoot record={area} />
      </div>
      {!wide.value && hasActions(area) && (
        <div class="foot">
          <Actions record={area} />
        </div>
      )}
    </article>
  )
}

const parentsOf = ({ fields }: LocalRecord): readonly LocalRecord[] =>
  idsIn(fields.parent).flatMap((id) => terms.value.get(id) ?? [])

/** Links to the editors of the geometry, for accounts that may write. */
function ShapeWays({ area }: { readonly area: LocalRecord }): JSX.Element | null {
  if (!mayWrite() || isArchived(area)) return null
  const isDrawn = wktOf(area).length > 0
  const isRing = shapesOf(area).areas.length > 0
  const ways = (['shape', 'beds', 'split'] as const).filter(
    (way) => way === 'shape' || (isRing && (way === 'split' || mayHaveBeds(area))),
  )
  return (
    <nav class="words options" aria-label={say('area.drawing')}>
      {ways.map((way) => (
        <Link key={way} to={`/draw/${area.id}/${way}`} class="chip">
          {say(isDrawn ? `area.draw.${way}` : 'area.draw.first')}
        </Link>
      ))}
    </nav>
  )
}

/** Logs and plans of an area. */
function AreaTimeline({ area }: { readonly area: LocalRecord }): JSX.Element {
  const { id, uuid } = area
  const soFar = useLogsSoFar({
    queries: [{ area: id }],
    filters: isOnFarm(area) ? async () => [`area[uuid]=${uuid}`, `movement[area][uuid]=${uuid}`] : null,
  })
  const plans = useLogs({ area: id, done: false, limit: 100 })
  if (plans === null || soFar.logs === null)
    return (
      <div class="record-happened book">
        <Loading />
      </div>
    )
  return (
    <div class="record-happened book">
      <ToDo plans={plans} aside={subjectWords} />
      <Timeline title={say('area.happened')} soFar={soFar}>
        {soFar.logs.map((log) => (
          <TimelineRow log={log} aside={subjectWords(log)} key={log.uuid} />
        ))}
      </Timeline>
    </div>
  )
}

/** Assets in an area, now or on another day. */
function AreaContents({ area }: { readonly area: LocalRecord }): JSX.Element {
  const chosen = chosenDay()
  const at = chosen === undefined ? now() : momentOf(chosen)
  return (
    <section aria-labelledby="contents">
      <h2 class="sub contents-head" id="contents">
        {chosen === undefined ? say('area.here-now') : say('area.here-on', { day: day(at) })}
      </h2>
      {isBeforeCopy(at) && isOnFarm(area) ? (
        <AskedContents area={area} at={at} />
      ) : (
        <KeptContents area={area} at={at} />
      )}
    </section>
  )
}

/** Shows the area on another day. */
function DayChoice(): JSX.Element {
  return (
    <label class="block day-choice">
      <span>{say('area.on-day')}</span>
      <input
        type="date"
        value={chosenDay() ?? isoDay(now())}
        max={isoDay(now())}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
    </label>
  )
}

function choose(chosen: string): void {
  replace(withQuery({ at: chosen === '' || chosen === isoDay(now()) ? null : chosen }))
}

interface AtProps {
  readonly area: LocalRecord
  readonly at: number
}

function KeptContents({ area, at }: AtProps): JSX.Element {
  const occupants = occupantsOf(area.id, at)
  const rest = kindOf(area) === 'building' ? null : restOf(area.id, at)
  if (occupants.length === 0) return <Nobody rest={rest} />
  return (
    <>
      <Occupants occupants={occupants} />
      {rest !== null && <p class="block soft small">{say('area.rested', { count: rest })}</p>}
    </>
  )
}

const shownOccupants = 1

/** A few at first: the ribbon below stays in sight. */
function Occupants({ occupants }: { readonly occupants: readonly Occupant[] }): JSX.Element {
  const [isAsked, setWhole] = useState(false)
  const isWhole = isAsked || occupants.length <= shownOccupants + 1
  return (
    <ul class="inset">
      {occupants.slice(0, isWhole ? undefined : shownOccupants).map((occupant) => (
        <OccupantRow occupant={occupant} key={occupant.asset.uuid} />
      ))}
      {!isWhole && (
        <li class="words">
          <button type="button" class="btn plain" onClick={() => setWhole(true)}>
            {say('area.more-here', { count: occupants.length - shownOccupants })}
          </button>
        </li>
      )}
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
  const before = previousPlaceOf(occupant)
  return (
    <Row
      to={pageOf(asset)}
      margin={<Icon name={icon} />}
      title={<bdi>{count > 1 ? say('asset.group', { name: asset.name, count }) : asset.name}</bdi>}
      second={
        <WaitingWords waiting={waiting}>
          {dotted([
            until === null ? sinceWords(since) : say('area.from-until', { from: day(since), until: day(until) }),
            before === undefined ? undefined : say('record.from', { places: before }),
          ])}
        </WaitingWords>
      }
      end={<Icon name="next" size="small" />}
    />
  )
}

/** Contents on a day before the copy, from the server. */
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
