import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { areaBundle } from '../../src/farm/bundle-names.ts'
import { SearchField } from '../look/find-field.tsx'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset } from '../look/icon-of.ts'
import { Section } from '../look/list.tsx'
import { byName, choiceLabel, dotted, labelOf } from '../look/names.ts'
import { AreaShape } from '../look/place/area-shape.tsx'
import { sizeText } from '../look/place/area-size.ts'
import { assets, terms } from '../store/local-copy.ts'
import { noteChoice, recentChoices } from '../store/recent-choices.ts'
import { idsIn, isArchived, isArea, isGroup, type LocalRecord, tagsOf } from '../store/record.ts'
import { searchNames } from '../store/search.ts'
import { placesOf } from '../store/stays.ts'
import { say } from '../words/say.ts'
import { onEnter } from './control.ts'
import { type DevicePosition, devicePosition, locate, locateIfAllowed, locateState, nearestOf } from './nearby.ts'

interface PickRecordProps {
  readonly of: ChoiceScope
  /** Limits the choice. */
  readonly among?: (record: LocalRecord) => boolean
  /** Ids or UUIDs of ticked records; a tap unticks. Absent if one tap chooses and goes on. */
  readonly chosen?: readonly string[]
  readonly onPick: (record: LocalRecord) => void
  /** Allows naming a new record. */
  readonly onNew?: (name: string) => void
  /** Key of the recent choices, if not that of the type: "move". */
  readonly used?: string
  /** Heading of the recent choices: "Last moved". */
  readonly recentTitle?: string
  /** Heading and order of the records that are neither recent nor near. */
  readonly othersTitle?: string
  readonly order?: (one: LocalRecord, other: LocalRecord) => number
  readonly title?: (record: LocalRecord) => ComponentChildren
  readonly second?: (record: LocalRecord) => ComponentChildren
  readonly end?: (record: LocalRecord) => ComponentChildren
}

const mostShown = 60

/** Page to choose a record: recent, nearest, then the rest; or search results, also by tag. */
export function PickRecord(props: PickRecordProps): JSX.Element {
  const { of, among = () => true, onPick, onNew, used = usedKeyOf(of) } = props
  const [text, setText] = useState('')
  useEffect(() => void locateIfAllowed(), [])
  const pick = (record: LocalRecord) => {
    noteChoice(used, record.id)
    setText('')
    onPick(record)
  }
  const found = text.trim() === '' ? null : searchChoices(of, text).filter(among)
  // Two beds may have one name, two crops not.
  const isKnown = found?.some((one) => !isArea(one) && one.name.toLowerCase() === text.trim().toLowerCase())
  const pickFirst = () => {
    const [first] = found ?? []
    if (first !== undefined) pick(first)
    else if (text.trim() !== '') onNew?.(text.trim())
  }
  const rows = (records: readonly LocalRecord[]) =>
    records
      .slice(0, mostShown)
      .map((record) => <PickRow key={record.uuid} record={record} look={props} onPick={pick} />)
  return (
    <div class="pick">
      <search class="words">
        <SearchField
          label={say(of.type === 'asset' ? 'form.find' : 'form.find-name')}
          text={text}
          onText={setText}
          enterkeyhint="done"
          onKeyDown={onEnter(pickFirst)}
        />
      </search>
      {found === null ? <Suggested {...props} rows={rows} /> : <Found found={found} rows={rows} />}
      {onNew !== undefined && text.trim() !== '' && !isKnown && <NewRow name={text.trim()} onNew={onNew} />}
    </div>
  )
}

interface RowsOf {
  readonly rows: (records: readonly LocalRecord[]) => JSX.Element[]
}

function Suggested({
  of,
  among = () => true,
  used = usedKeyOf(of),
  recentTitle,
  othersTitle = say('form.others'),
  order,
  onNew,
  rows,
}: PickRecordProps & RowsOf): JSX.Element {
  const all = allChoices(of).filter(among)
  if (order !== undefined) all.sort(order)
  const { recent, near, others } = groupChoices(all, recentChoices(used), devicePosition.value)
  const isAlone = recent.length === 0 && near.length === 0
  return (
    <>
      {recent.length > 0 && <Section title={recentTitle ?? say('form.last-used')}>{rows(recent)}</Section>}
      {near.length > 0 && <Section title={say('form.nearest')}>{rows(near)}</Section>}
      {locateState.value === 'unasked' && all.length > 0 && isPlaced(of) && <NearestButton />}
      {isAlone && order === undefined ? (
        <ul>{rows(others)}</ul>
      ) : (
        others.length > 0 && <Section title={othersTitle}>{rows(others)}</Section>
      )}
      {others.length > mostShown && (
        <p class="words soft small">{say('form.type-to-find', { count: others.length })}</p>
      )}
      {all.length === 0 && <p class="words soft">{say(onNew === undefined ? 'form.none-yet' : 'form.none-yet-new')}</p>}
    </>
  )
}

const isPlaced = ({ type, bundles }: ChoiceScope): boolean => type === 'asset' || bundles?.includes(areaBundle) === true

function Found({ found, rows }: RowsOf & { readonly found: readonly LocalRecord[] }): JSX.Element {
  return (
    <>
      <p class="out" role="status">
        {say('form.found', { count: found.length })}
      </p>
      {found.length === 0 && <p class="words soft">{say('form.none-found')}</p>}
      <ul>{rows(found)}</ul>
    </>
  )
}

function NearestButton(): JSX.Element {
  return (
    <p class="words">
      <button type="button" class="btn plain" onClick={locate}>
        <Icon name="locate" />
        {say('form.show-nearest')}
      </button>
    </p>
  )
}

function NewRow({ name, onNew }: { readonly name: string; readonly onNew: (name: string) => void }): JSX.Element {
  return (
    <button type="button" class="row" onClick={() => onNew(name)}>
      <span class="m">
        <Icon name="plus" />
      </span>
      <span class="t">
        <b>{say('form.new-named', { name })}</b>
      </span>
      <span class="e" />
    </button>
  )
}

interface PickLook {
  readonly chosen?: readonly string[]
  readonly title?: (record: LocalRecord) => ComponentChildren
  readonly second?: (record: LocalRecord) => ComponentChildren
  readonly end?: (record: LocalRecord) => ComponentChildren
}

interface PickRowProps {
  readonly record: LocalRecord
  readonly look: PickLook
  readonly onPick: (record: LocalRecord) => void
}

/** A row that is chosen by a tap anywhere in it. */
export function PickRow({ record, look: { chosen, title, second, end }, onPick }: PickRowProps): JSX.Element {
  const isChosen = chosen?.some((id) => id === record.id || id === record.uuid)
  return (
    <li>
      <button type="button" class="row" aria-pressed={isChosen} onClick={() => onPick(record)}>
        <span class="m">
          <Margin record={record} />
        </span>
        <span class="t">
          <b class={isArea(record) ? 'place' : undefined}>{title?.(record) ?? record.name}</b>
          <small>{second?.(record) ?? secondOf(record)}</small>
        </span>
        <span class="e">
          {end?.(record) ??
            (chosen === undefined ? <Icon name="next" size="small" /> : isChosen && <Icon name="check" />)}
        </span>
      </button>
    </li>
  )
}

function Margin({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  if (record.type === 'asset') return <Icon name={iconOfAsset(record)} />
  return isArea(record) ? <AreaShape area={record} /> : null
}

function secondOf(record: LocalRecord): string {
  if (record.type === 'asset') {
    const tags = tagsOf(record)
    const places = placesOf(record.id).map(({ place }) => terms.value.get(place ?? '')?.name)
    return dotted([labelOf(record), ...places, ...tags.filter((tag) => tag !== record.name)])
  }
  const above = idsIn(record.fields.parent).map((id) => terms.value.get(id)?.name)
  const { area_type: type } = record.fields
  if (!isArea(record)) return dotted(above)
  return dotted([typeof type === 'string' ? choiceLabel('area_types', type) : undefined, sizeText(record), ...above])
}

/** Records to choose from; without bundles any of the type. */
export interface ChoiceScope {
  readonly type: 'asset' | 'term'
  readonly bundles?: readonly string[] | undefined
}

/** Key of the recent choices. */
const usedKeyOf = ({ type, bundles = [] }: ChoiceScope): string => ['pick', type, ...bundles].join(' ')

function isChoosable(record: LocalRecord, { type, bundles }: ChoiceScope): boolean {
  return record.type === type && (bundles === undefined || bundles.includes(record.bundle)) && !isArchived(record)
}

function allChoices(of: ChoiceScope): readonly LocalRecord[] {
  const records = of.type === 'asset' ? assets.value : terms.value
  return [...records.values()]
    .filter((record) => isChoosable(record, of))
    .sort((one, other) => Number(isGroup(other)) - Number(isGroup(one)) || byName(one.name, other.name))
}

/** Matches name, tag or nickname. */
function searchChoices(of: ChoiceScope, text: string): readonly LocalRecord[] {
  return searchNames(text, (record) => isChoosable(record, of))
}

interface ChoiceGroups {
  readonly recent: readonly LocalRecord[]
  readonly near: readonly LocalRecord[]
  readonly others: readonly LocalRecord[]
}

const [mostRecent, mostNear] = [5, 5]

/** Each record once: recent, then near, then the rest by name. */
function groupChoices(all: readonly LocalRecord[], used: readonly string[], here: DevicePosition | null): ChoiceGroups {
  const known = new Map(all.flatMap((record) => [[record.id, record] as const, [record.uuid, record] as const]))
  const recent = [...new Set(used.flatMap((id) => known.get(id) ?? []))].slice(0, mostRecent)
  const rest = all.filter((record) => !recent.includes(record))
  const near = here === null ? [] : nearestOf(rest, here).slice(0, mostNear)
  return { recent, near, others: near.length === 0 ? rest : rest.filter((record) => !near.includes(record)) }
}
