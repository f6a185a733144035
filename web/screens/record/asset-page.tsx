import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { animalBundle } from '../../../src/farm/bundle-names.ts'
import { chosenDay, isBeforeCopy, momentOf } from '../../look/day.ts'
import { Icon } from '../../look/icon.tsx'
import { iconOfAsset } from '../../look/icon-of.ts'
import { Link, pageOfArea, pageOfAsset, pageOfLog } from '../../look/link.tsx'
import { dotted } from '../../look/names.ts'
import { Loading, Title } from '../../look/page.tsx'
import { assets, mayWrite, terms } from '../../store/local-copy.ts'
import {
  assetsNamedIn,
  idsIn,
  isArchived,
  isGroup,
  isOnFarm,
  type LocalRecord,
  type LocalStay,
  tagsOf,
  timeOf,
} from '../../store/record.ts'
import { untaggedAnimals } from '../../store/search.ts'
import { groupsOf, headOf, membershipsOf, membersOf, placesOf } from '../../store/stays.ts'
import { day, dayAndYear } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { type AssetLogs, groupsAt, useAssetLogs } from './asset-logs.ts'
import { Facts, factOf, factsOf, nameOfArea, nameOfAsset } from './facts.tsx'
import { movedTo, sinceWords } from './log-words.ts'
import { seriesOf, useOlderMeasures } from './measure-series.ts'
import { Measures } from './measures.tsx'
import { FilesOf, NoteOf } from './notes.tsx'
import { isStillLoading } from './paged-logs.ts'
import { ownPhotos, Photos, photosOfLogs } from './photos.tsx'
import { Reasons } from './reasons.tsx'
import { Disclosure, RecordFoot } from './record-foot.tsx'
import { Actions, Banners, Care, EditLink, SmallMap } from './record-head.tsx'
import { kindOfAsset, RecordRows } from './record-rows.tsx'
import { Timeline, TimelineRow, ToDo } from './timeline.tsx'

const elsewhere = ['description', 'images', 'files', 'flags', 'parent', 'inventory', 'withheld']

export function AssetPage({ asset }: { readonly asset: LocalRecord }): JSX.Element {
  const chosen = chosenDay()
  const at = chosen === undefined ? undefined : momentOf(chosen)
  const logs = useAssetLogs(asset, placesOf(asset.id, at)[0])
  return (
    <article class="record">
      <header class="record-head">
        <EditLink record={asset} />
        <Title text={asset.name} class="title">
          <bdi>{asset.name}</bdi>
        </Title>
        <p class="soft">{kindLine(asset)}</p>
        {chosen === undefined && <Actions record={asset} />}
      </header>
      {logs === null ? <Loading /> : <AssetDetails asset={asset} at={at} logs={logs} />}
    </article>
  )
}

function AssetDetails({ asset, at, logs }: AtProps & { readonly logs: AssetLogs }): JSX.Element {
  const older = useOlderMeasures(asset, logs.own)
  return (
    <>
      <div class="record-first">
        <Banners record={asset} />
        <Care asset={asset.id} plans={logs.plans} />
        {(at !== undefined || !isArchived(asset)) && <Where asset={asset} at={at} deciding={logs.deciding} />}
        <Groups asset={asset} at={at} />
        {at === undefined && isGroup(asset) && <HerdLinks herd={asset} />}
        <Measures all={seriesOf(asset.id, [...logs.own, ...older.logs])} older={older} />
      </div>
      <AssetTimeline asset={asset} logs={logs} />
      <div class="record-rest">
        <Photos photos={[...ownPhotos(asset), ...photosOfLogs(logs.own)]} />
        <Facts facts={[...inventoryOf(asset), ...factsOf(asset, { elsewhere })]} />
        <NoteOf record={asset} field="description" />
        <FilesOf record={asset} />
        <Members asset={asset} at={at} />
        <Family asset={asset} />
        <RecordFoot record={asset}>
          {isOnFarm(asset) && (
            <Disclosure name="why" title={say('because.title')}>
              {() => <Reasons asset={asset} />}
            </Disclosure>
          )}
        </RecordFoot>
      </div>
    </>
  )
}

function kindLine(asset: LocalRecord): string {
  const born = asset.bundle === animalBundle ? Number(asset.fields.date ?? 0) : 0
  const kind = kindOfAsset(asset)
  const tags = tagsOf(asset).filter((tag) => tag !== asset.name)
  return dotted([
    born === 0 ? kind : say('asset.born', { kind, when: dayAndYear(born) }),
    ...tags.map((tag) => say('asset.tag', { tag })),
  ])
}

function inventoryOf({ fields: { inventory } }: LocalRecord) {
  return typeof inventory === 'string' && Number(inventory) !== 0 ? factOf(say('asset.inventory'), inventory) : []
}

interface AtProps {
  readonly asset: LocalRecord
  readonly at: number | undefined
}

function Groups({ asset, at }: AtProps): JSX.Element | null {
  const groups = groupsOf(asset.id, at).flatMap(({ place }) => place ?? [])
  if (groups.length === 0) return null
  return (
    <nav class="chips" aria-label={say('asset.groups')}>
      {groups.map((id) => (
        <Link to={pageOfAsset(id)} class="chip" key={id}>
          <GroupIcon id={id} />
          {say('asset.group', { name: nameOfAsset(id), count: headsAt(id, at) })}
        </Link>
      ))}
    </nav>
  )
}

/** Links to the members, and to those without a tag. */
function HerdLinks({ herd: { id } }: { readonly herd: LocalRecord }): JSX.Element | null {
  const members = new Set(membersOf(id).map(({ asset }) => asset))
  const untagged = untaggedAnimals().filter((animal) => members.has(animal.id)).length
  if (members.size === 0) return null
  return (
    <nav class="chips" aria-label={say('asset.members')}>
      <Link to={`/group/${id}`} class="chip">
        {say('group.members', { count: headsAt(id, undefined) })}
      </Link>
      {untagged > 0 && (
        <Link to={`/records?of=assets&tag=none&asset=${id}`} class="chip">
          {say('asset.untagged', { count: untagged })}
        </Link>
      )}
    </nav>
  )
}

const headsAt = (group: string, at: number | undefined): number =>
  known(membersOf(group, at).map((stay) => stay.asset)).reduce((sum, member) => sum + headOf(member), 0)

function GroupIcon({ id }: { readonly id: string }): JSX.Element | null {
  const group = assets.value.get(id)
  return group === undefined ? null : <Icon name={iconOfAsset(group)} />
}

function Members({ asset, at }: AtProps): JSX.Element | null {
  if (!isGroup(asset)) return null
  const members = known(membersOf(asset.id, at).map((stay) => stay.asset))
  return (
    <>
      <RecordRows title={say('asset.members')} records={members} />
      {at === undefined && mayWrite() && (
        <p class="words options">
          <Link to={`/add/animals/herd?herd=${asset.id}`} class="btn">
            {say('asset.add-members')}
          </Link>
          {members.length > 0 && (
            <Link to={`/add/animals/out?from=${asset.id}`} class="btn">
              {say('asset.take-out')}
            </Link>
          )}
        </p>
      )}
    </>
  )
}

function Family({ asset }: { readonly asset: LocalRecord }): JSX.Element {
  const all = assets.value
  const children = useMemo(
    () => [...all.values()].filter(({ fields }) => idsIn(fields.parent).includes(asset.id)),
    [all, asset.id],
  )
  return (
    <>
      <RecordRows title={say('asset.parents')} records={known(idsIn(asset.fields.parent))} />
      <RecordRows title={say('asset.children')} records={children} />
    </>
  )
}

const known = (ids: readonly string[]): readonly LocalRecord[] => ids.flatMap((id) => assets.value.get(id) ?? [])

interface AssetTimelineProps {
  readonly asset: LocalRecord
  readonly logs: AssetLogs
}

/** Logs of an asset and its groups, and its plans. */
function AssetTimeline({ asset, logs }: AssetTimelineProps): JSX.Element {
  const { plans, groups: present, soFar, timeline } = logs
  return (
    <div class="record-happened book">
      <ToDo plans={plans} aside={(log) => asideOf(asset, log, present)} />
      <Timeline title={say('record.happened')} soFar={soFar}>
        {timeline.map(({ log, groups }) => (
          <TimelineRow log={log} aside={asideOf(asset, log, groups)} key={log.uuid} />
        ))}
      </Timeline>
    </div>
  )
}

/** "with Milkers · from Hill 1" */
function asideOf({ id }: LocalRecord, log: LocalRecord, groups: readonly string[]): string {
  const named = assetsNamedIn(log)
  const together = groups.filter((group) => named.includes(group)).map(nameOfAsset)
  const before = movedTo(log).length === 0 ? [] : placesOf(id, timeOf(log) - 1).flatMap(({ place }) => place ?? [])
  return dotted([
    together.length === 0 ? undefined : say('asset.with', { groups: together.join(', ') }),
    before.length === 0 ? undefined : say('record.from', { places: before.map(nameOfArea).join(', ') }),
  ])
}

interface WhereProps {
  readonly asset: LocalRecord
  /** Time in the past; undefined for now. */
  readonly at: number | undefined
  /** Log that decides the location, if the copy has it. */
  readonly deciding: LocalRecord | undefined
}

/** Location of an asset, since when, and the deciding log. */
function Where({ asset, at, deciding }: WhereProps): JSX.Element {
  const stays = placesOf(asset.id, at)
  const [first] = stays
  if (first === undefined && isStillLoading()) return <p class="block soft">{say('record.still-loading')}</p>
  if (first === undefined && at !== undefined && isBeforeCopy(at))
    return <p class="block soft">{say('shell.before-copy')}</p>
  if (first === undefined)
    return <p class="block soft">{at === undefined ? say('asset.nowhere') : say('asset.nowhere-then')}</p>
  const area = first.placeType === 'area' && first.place !== null ? terms.value.get(first.place) : undefined
  return (
    <section class="where" aria-label={say('asset.where')}>
      <div>
        <p class="h24">
          <PlaceNames stays={stays} isPast={at !== undefined} />
        </p>
        <p>{at === undefined ? sinceWords(first.from) : say('asset.from-until', spanOf(first))}</p>
        <Link to={pageOfLog(first.log)} class="because small tap">
          {deciding === undefined
            ? say('because.a-log', { day: day(first.from) })
            : becauseWords(asset, deciding, first)}
        </Link>
      </div>
      {area && <SmallMap area={area} />}
    </section>
  )
}

function spanOf({ from, until }: LocalStay): { readonly from: string; readonly until: string } {
  return { from: day(from), until: until === null ? say('asset.today') : day(until) }
}

function PlaceNames({
  stays,
  isPast,
}: {
  readonly stays: readonly LocalStay[]
  readonly isPast: boolean
}): JSX.Element {
  const word = isPast ? say('asset.was-in') : say('asset.in')
  return (
    <>
      {word}{' '}
      {stays.map((stay, index) => (
        <span key={stay.place}>
          {index > 0 && ', '}
          <PlaceName stay={stay} />
        </span>
      ))}
    </>
  )
}

function PlaceName({ stay: { place, placeType } }: { readonly stay: LocalStay }): JSX.Element {
  if (place === null) return <>{say('asset.a-spot')}</>
  const isArea = placeType === 'area'
  return (
    <Link to={isArea ? pageOfArea(place) : pageOfAsset(place)}>{isArea ? nameOfArea(place) : nameOfAsset(place)}</Link>
  )
}

function becauseWords(asset: LocalRecord, log: LocalRecord, { from }: LocalStay): string {
  const named = assetsNamedIn(log)
  const groups = groupsAt(membershipsOf(asset.id), from).filter((group) => named.includes(group))
  if (groups.length > 0) return say('because.with', { groups: groups.map(nameOfAsset).join(', ') })
  return say('because.log', { name: log.name })
}
