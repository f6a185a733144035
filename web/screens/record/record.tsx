import type { JSX } from 'preact'
import { Link } from '../../look/link.tsx'
import { Loading } from '../../look/loading.tsx'
import { shapesOf, wktOf } from '../../look/place/shapes.ts'
import { Title } from '../../look/title.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { areasIn, mayWrite, terms } from '../../store/local-copy.ts'

import { idsIn, isArchived, isOnFarm, type KeptRecord } from '../../store/record.ts'
import { AreaContents } from './area-page.tsx'
import { AreaRibbon } from './area-visits.tsx'
import { AssetPage } from './asset-page.tsx'
import { Facts, factsOf } from './facts.tsx'
import { GroupMembers } from './group-members.tsx'
import { LogPage } from './log-page.tsx'
import { subjectWords } from './log-words.ts'
import { FilesOf, NoteOf } from './notes.tsx'
import { OneRecord } from './one-record.tsx'
import { useLogsSoFar } from './paged-logs.ts'
import { ownPhotos, Photos, photosOfLogs } from './photos.tsx'
import { RecordFoot } from './record-foot.tsx'
import { Actions, Banners, EditLink, SmallMap, smallMap } from './record-head.tsx'
import { kindOfArea, RecordRows } from './record-rows.tsx'

import { say } from './say.ts'

import { TermPage } from './term-page.tsx'
import { Timeline, TimelineRow, ToDo } from './timeline.tsx'

export { TrashScreen } from './trash.tsx'

void smallMap.fetch()

interface RecordProps {
  readonly id: string
}

export function LogScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="log" id={id} key={id} show={(log) => <LogPage log={log} />} />
}

export function AssetScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="asset" id={id} key={id} show={(asset) => <AssetPage asset={asset} />} />
}

/** A list of its own, which on a desk stands beside each of them. */
export function GroupScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="asset" id={id} key={id} show={(group) => <GroupMembers group={group} />} />
}

/** Areas are terms, and have a page of their own; whichever address names one. */
export function TermScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="term" id={id} key={id} show={pageOfTerm} />
}

const pageOfTerm = (term: KeptRecord): JSX.Element =>
  term.bundle === 'farm_areas' ? <AreaPage area={term} /> : <TermPage term={term} />

const elsewhere = ['description', 'images', 'files', 'flags', 'parent', 'area_type', 'geofield', 'archived']

export function AreaPage({ area }: { readonly area: KeptRecord }): JSX.Element {
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
        <Actions record={area} />
        <ShapeWays area={area} />
      </header>
      <div class="record-first">
        <Banners record={area} />
        <AreaContents area={area} />
        <AreaRibbon area={area} />
      </div>
      <AreaTimeline area={area} />
      <div class="record-rest">
        <Photos photos={[...ownPhotos(area), ...photosOfLogs(logs)]} />
        <Facts facts={factsOf(area, { elsewhere })} />
        <NoteOf record={area} field="description" />
        <FilesOf record={area} />
        <RecordRows title={say('area.lies-in')} records={parentsOf(area)} />
        <RecordRows title={say('area.in-it')} records={areasIn(area.id)} />
        <p class="words">
          <Link to={`/reports/field-history?area=${area.id}`} class="btn">
            {say('area.history')}
          </Link>
        </p>
        <RecordFoot record={area} />
      </div>
    </article>
  )
}

const parentsOf = ({ fields }: KeptRecord): readonly KeptRecord[] =>
  idsIn(fields.parent).flatMap((id) => terms.value.get(id) ?? [])

/** What may be drawn of an area, for who may. */
export function ShapeWays({ area }: { readonly area: KeptRecord }): JSX.Element | null {
  if (!mayWrite() || isArchived(area)) return null
  const isDrawn = wktOf(area).length > 0
  const ways = shapesOf(area).areas.length > 0 ? (['shape', 'beds', 'split'] as const) : (['shape'] as const)
  return (
    <nav class="options" aria-label={say('area.drawing')}>
      {ways.map((way) => (
        <Link key={way} to={`/draw/${area.id}/${way}`} class="chip">
          {say(isDrawn ? `area.draw.${way}` : 'area.draw.first')}
        </Link>
      ))}
    </nav>
  )
}

/** What happened in an area, and what is to be done there. */
export function AreaTimeline({ area }: { readonly area: KeptRecord }): JSX.Element {
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
