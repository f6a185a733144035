import type { JSX } from 'preact'
import { Link } from '../../look/link.tsx'
import { Title } from '../../look/title.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { areasIn, terms } from '../../store/copy.ts'
import { idsIn } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import { Actions } from './actions.tsx'
import { AreaContents } from './area-contents.tsx'
import { AreaRibbon } from './area-ribbon.tsx'
import { AreaTimeline } from './area-timeline.tsx'
import { Banners } from './banners.tsx'
import { EditLink } from './edit-link.tsx'
import { Facts, factsOf } from './facts.tsx'
import { kindOfArea } from './kind-words.ts'
import { FilesOf, NoteOf } from './notes-of.tsx'
import { Photos } from './photos.tsx'
import { ownPhotos, photosOfLogs } from './photos-of.ts'
import { RecordFoot } from './record-foot.tsx'
import { RecordRows } from './record-rows.tsx'
import { say } from './say.ts'
import { ShapeWays } from './shape-ways.tsx'
import { SmallMap } from './small-map.tsx'

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
