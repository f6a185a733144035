import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { record } from '../../../src/words/en/record.ts'
import { bundleOf, labelOf } from '../../look/names.ts'
import { Title } from '../../look/page.tsx'
import { assets, terms } from '../../store/local-copy.ts'
import { idsIn, isArea, type LocalRecord } from '../../store/record.ts'
import { addWords, say } from '../../words/say.ts'
import { AreaPage } from './area-page.tsx'
import { AssetPage } from './asset-page.tsx'
import { Facts, factsOf } from './facts.tsx'
import { GroupMembers } from './group-members.tsx'
import { LogPage } from './log-page.tsx'
import { FilesOf, NoteOf } from './notes.tsx'
import { OneRecord } from './one-record.tsx'
import { ownPhotos, Photos } from './photos.tsx'
import { RecordFoot } from './record-foot.tsx'
import { EditLink, smallMap } from './record-head.tsx'
import { RecordRows } from './record-rows.tsx'

addWords(record)

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

/** A group is a list: on a desk it stays beside each member. */
export function GroupScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="asset" id={id} key={id} show={(group) => <GroupMembers group={group} />} />
}

/** Areas are terms with their own page, by any address. */
export function TermScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="term" id={id} key={id} show={pageOfTerm} />
}

const pageOfTerm = (term: LocalRecord): JSX.Element =>
  isArea(term) ? <AreaPage area={term} /> : <TermPage term={term} />

const elsewhere = ['description', 'images', 'files', 'parent']

/** A term, such as a crop, breed or unit, and the records that use it. */
export function TermPage({ term }: { readonly term: LocalRecord }): JSX.Element {
  const all = assets.value
  const bearers = useMemo(() => [...all.values()].filter((asset) => bears(asset, term)), [all, term])
  const parents = idsIn(term.fields.parent).flatMap((id) => terms.value.get(id) ?? [])
  const children = [...terms.value.values()].filter(
    ({ bundle, fields }) => bundle === term.bundle && idsIn(fields.parent).includes(term.id),
  )
  return (
    <article class="record log">
      <header class="record-head">
        <EditLink record={term} />
        <p class="soft">{labelOf(term)}</p>
        <Title text={term.name} class="title">
          <bdi>{term.name}</bdi>
        </Title>
      </header>
      <div class="record-rest">
        <Facts facts={factsOf(term, { elsewhere })} />
        <NoteOf record={term} field="description" />
        <Photos photos={ownPhotos(term)} />
        <FilesOf record={term} />
        <RecordRows title={say('record.part-of')} records={parents} />
        <RecordRows title={say('record.parts')} records={children} />
        <RecordRows title={say('record.assets')} records={bearers} />
        <RecordFoot record={term} />
      </div>
    </article>
  )
}

function bears(asset: LocalRecord, { id, bundle }: LocalRecord): boolean {
  return Object.entries(bundleOf(asset)?.fields ?? {}).some(
    ([name, { within }]) => Array.isArray(within) && within.includes(bundle) && idsIn(asset.fields[name]).includes(id),
  )
}
