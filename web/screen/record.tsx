import type { JSX } from 'preact'
import { Link } from '../look/link.tsx'
import { Loading } from '../look/loading.tsx'
import { shapesOf, wktOf } from '../look/place/shapes.ts'
import { Title } from '../look/title.tsx'
import { useLogs } from '../look/use-logs.ts'
import { areasIn, mayWrite, terms } from '../store/local-copy.ts'

import { idsIn, isArchived, isOnFarm, type KeptRecord } from '../store/record.ts'

import { Actions } from './record/actions.tsx'
import { AreaContents } from './record/area-contents.tsx'
import { AreaRibbon } from './record/area-ribbon.tsx'
import { AssetPage } from './record/asset-page.tsx'
import { Banners } from './record/banners.tsx'
import { EditLink } from './record/edit-link.tsx'
import { Facts, factsOf } from './record/facts.tsx'
import { GroupMembers } from './record/group-members.tsx'
import { Happened, ToDo } from './record/happened.tsx'
import { kindOfArea } from './record/kind-words.ts'
import { LogPage } from './record/log-page.tsx'
import { useLogsSoFar } from './record/logs-so-far.ts'
import { FilesOf, NoteOf } from './record/notes-of.tsx'
import { OneRecord } from './record/one-record.tsx'
import { Photos } from './record/photos.tsx'
import { ownPhotos, photosOfLogs } from './record/photos-of.ts'
import { RecordFoot } from './record/record-foot.tsx'
import { RecordRows } from './record/record-rows.tsx'
import { say } from './record/say.ts'
import { SmallMap, smallMap } from './record/small-map.tsx'
import { TermPage } from './record/term-page.tsx'
import { TimelineRow } from './record/timeline-row.tsx'
import { whoWords } from './record/who.ts'

export { TrashScreen } from './record/trash.tsx'

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
      <ToDo plans={plans} aside={whoWords} />
      <Happened title={say('area.happened')} soFar={soFar}>
        {soFar.logs.map((log) => (
          <TimelineRow log={log} aside={whoWords(log)} key={log.uuid} />
        ))}
      </Happened>
    </div>
  )
}
