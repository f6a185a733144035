import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { SearchField } from '../look/search-field.tsx'
import { noteChoice, recentChoices } from '../store/recent-choices.ts'
import type { KeptRecord } from '../store/record.ts'
import { allOf, foundOf, grouped, type PickOf, usedAs } from './choosable.ts'
import { here, hereState, lookIfAllowed, lookWhere } from './here.ts'
import { onEnter } from './on-enter.ts'
import { PickRow } from './pick-row.tsx'
import { say } from './say.ts'

interface PickRecordProps {
  readonly of: PickOf
  /** Fewer than there are: those that it is true of. */
  readonly among?: (record: KeptRecord) => boolean
  /** Ids or UUIDs: those are ticked, and a tap takes them away. Left out where one tap chooses and leads on. */
  readonly chosen?: readonly string[]
  readonly onPick: (record: KeptRecord) => void
  /** Where something that is not there yet may be named. */
  readonly onNew?: (name: string) => void
  /** Under which name the last choices are kept, where it is not that of the kind: "move". */
  readonly used?: string
  /** Over the last choices: "Last moved". */
  readonly recentTitle?: string
  /** Over those that were neither used last nor are near, and which of them comes first. */
  readonly othersTitle?: string
  readonly order?: (one: KeptRecord, other: KeptRecord) => number
  readonly title?: (record: KeptRecord) => ComponentChildren
  readonly second?: (record: KeptRecord) => ComponentChildren
  readonly end?: (record: KeptRecord) => ComponentChildren
}

const mostShown = 60

/** A page of names to choose from: used last, nearest, then all others; or what a search finds, by tag too. */
export function PickRecord(props: PickRecordProps): JSX.Element {
  const { of, among = () => true, onPick, onNew, used = usedAs(of) } = props
  const [text, setText] = useState('')
  useEffect(() => void lookIfAllowed(), [])
  const pick = (record: KeptRecord) => {
    noteChoice(used, record.id)
    setText('')
    onPick(record)
  }
  const found = text.trim() === '' ? null : foundOf(of, text).filter(among)
  const pickFirst = () => {
    const [first] = found ?? []
    if (first !== undefined) pick(first)
    else if (text.trim() !== '') onNew?.(text.trim())
  }
  const rows = (records: readonly KeptRecord[]) =>
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
      {onNew !== undefined && text.trim() !== '' && <NewRow name={text.trim()} onNew={onNew} />}
    </div>
  )
}

interface RowsOf {
  readonly rows: (records: readonly KeptRecord[]) => JSX.Element[]
}

function Suggested({
  of,
  among = () => true,
  used = usedAs(of),
  recentTitle,
  othersTitle = say('form.others'),
  order,
  rows,
}: PickRecordProps & RowsOf): JSX.Element {
  const all = allOf(of).filter(among)
  if (order !== undefined) all.sort(order)
  const { recent, near, others } = grouped(all, recentChoices(used), here.value)
  const isAlone = recent.length === 0 && near.length === 0
  return (
    <>
      {recent.length > 0 && <Group title={recentTitle ?? say('form.last-used')}>{rows(recent)}</Group>}
      {near.length > 0 && <Group title={say('form.nearest')}>{rows(near)}</Group>}
      {hereState.value === 'unasked' && all.length > 0 && isPlaced(of) && <NearestButton />}
      {others.length > 0 && <Group title={isAlone && order === undefined ? null : othersTitle}>{rows(others)}</Group>}
      {others.length > mostShown && (
        <p class="words soft small">{say('form.type-to-find', { count: others.length })}</p>
      )}
      {all.length === 0 && <p class="words soft">{say('form.none-yet')}</p>}
    </>
  )
}

const isPlaced = ({ type, bundles }: PickOf): boolean => type === 'asset' || bundles?.includes('farm_areas') === true

function Found({ found, rows }: RowsOf & { readonly found: readonly KeptRecord[] }): JSX.Element {
  return (
    <>
      <p class="out" role="status">
        {say('form.found', { count: found.length })}
      </p>
      {found.length === 0 && <p class="words soft">{say('form.none-found')}</p>}
      <Group title={null}>{rows(found)}</Group>
    </>
  )
}

function Group({
  title,
  children,
}: {
  readonly title: string | null
  readonly children: ComponentChildren
}): JSX.Element {
  const id = useId()
  if (title === null) return <ul>{children}</ul>
  return (
    <section aria-labelledby={id}>
      <div class="sec">
        <h2 id={id}>{title}</h2>
      </div>
      <ul>{children}</ul>
    </section>
  )
}

function NearestButton(): JSX.Element {
  return (
    <p class="words">
      <button type="button" class="btn plain" onClick={lookWhere}>
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
