import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { bundlesOf } from '../../look/names.ts'
import { replace } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { catalogue, terms } from '../../store/local-copy.ts'
import { isArea } from '../../store/record.ts'
import { searchNames } from '../../store/search.ts'
import { isoDay, now } from '../../words/format.ts'
import { locale } from '../../words/locale.ts'
import { say } from '../../words/say.ts'
import { type ChipName, type Filters, filtersOf, kindOf, type ListKind, listAddress } from './list-address.ts'

interface FilterSheetProps {
  readonly filters: Filters
  /** All filters of this record type, or one of them. */
  readonly of: 'all' | 'type' | 'days'
  readonly onClose: () => void
}

interface PartProps {
  readonly filters: Filters
  readonly choose: (changes: Partial<Filters>) => void
}

/** Each filter applies at once. */
export function FilterSheet({ filters, of, onClose }: FilterSheetProps): JSX.Element {
  const has = (name: ChipName) => of === 'all' && filtersOf[kindOf(filters)].includes(name)
  const part: PartProps = { filters, choose: (changes) => replace(listAddress({ ...filters, ...changes })) }
  return (
    <ModalSheet title={say('records.filter')} onClose={onClose}>
      {of !== 'days' && <Types {...part} />}
      {has('done') && <Done {...part} />}
      {has('archived') && <Archived {...part} />}
      {has('flag') && <Flags {...part} />}
      {has('area') && <Areas {...part} />}
      {(of === 'days' || has('from')) && <Days {...part} />}
    </ModalSheet>
  )
}

interface GroupProps {
  readonly title: string
  readonly children: ComponentChildren
}

function Group({ title, children }: GroupProps): JSX.Element {
  return (
    <fieldset class="filter">
      <legend>{title}</legend>
      <div class="chips">{children}</div>
    </fieldset>
  )
}

interface Choice {
  readonly value: string
  readonly label: string
}

interface ChoicesProps extends PartProps {
  readonly name: 'type' | 'done' | 'archived' | 'tag' | 'flag' | 'area'
  readonly choices: readonly Choice[]
}

/** Single choice; a second tap clears it. */
function Choices({ name, choices, filters, choose }: ChoicesProps): JSX.Element {
  return (
    <>
      {choices.map(({ value, label }) => (
        <Chip
          key={value}
          pressed={filters[name] === value}
          onPress={() => choose({ [name]: filters[name] === value ? null : value })}
        >
          {label}
        </Chip>
      ))}
    </>
  )
}

function Types(part: PartProps): JSX.Element {
  const choices = typesOf(kindOf(part.filters)).map(({ type, label }) => ({ value: type, label }))
  return (
    <Group title={say('records.type')}>
      <Choices {...part} name="type" choices={choices} />
    </Group>
  )
}

function Done(part: PartProps): JSX.Element {
  const choices = [
    { value: 'yes', label: say('records.done') },
    { value: 'no', label: say('records.not-done') },
  ]
  return (
    <Group title={say('records.state')}>
      <Choices {...part} name="done" choices={choices} />
    </Group>
  )
}

function Archived(part: PartProps): JSX.Element {
  return (
    <Group title={say('records.state')}>
      <Choices {...part} name="archived" choices={[{ value: 'yes', label: say('records.archived') }]} />
      <Choices {...part} name="tag" choices={[{ value: 'none', label: say('records.no-tag') }]} />
    </Group>
  )
}

function Flags(part: PartProps): JSX.Element {
  return (
    <Group title={say('records.flags')}>
      <Choices {...part} name="flag" choices={catalogue.value?.lists.flags ?? []} />
    </Group>
  )
}

const suggested = 8

/** A search field: a farm may have thousands of areas. */
function Areas(part: PartProps): JSX.Element {
  const [text, setText] = useState('')
  const id = useId()
  const found = searchNames(text).filter(isArea)
  const present = terms.value.get(part.filters.area ?? '')
  const shown = text === '' && present !== undefined ? [present] : found.slice(0, suggested)
  return (
    <fieldset class="filter">
      <legend>
        <label for={id}>{say('records.area')}</label>
      </legend>
      <div class="field">
        <input id={id} value={text} autocomplete="off" onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </div>
      <div class="chips">
        <Choices {...part} name="area" choices={shown.map((area) => ({ value: area.id, label: area.name }))} />
      </div>
    </fieldset>
  )
}

function Days(part: PartProps): JSX.Element {
  return (
    <fieldset class="filter">
      <legend>{say('records.days')}</legend>
      <div class="chips">
        {lastMonths().map(({ from, to }) => (
          <Chip
            key={from}
            pressed={part.filters.from === from && part.filters.to === to}
            onPress={() => part.choose({ from, to })}
          >
            {monthOf({ from, to })}
          </Chip>
        ))}
      </div>
      <div class="days">
        <DayField {...part} name="from" label={say('records.from')} />
        <DayField {...part} name="to" label={say('records.to')} />
      </div>
    </fieldset>
  )
}

const shownMonths = 3

/** This month and those before. */
function lastMonths(): readonly { readonly from: string; readonly to: string }[] {
  const [year = 0, month = 1] = isoDay(now()).split('-').map(Number)
  const dayOf = (months: number, day: number) =>
    new Date(Date.UTC(year, month - 1 + months, day)).toISOString().slice(0, 10)
  return Array.from({ length: shownMonths }, (_, back) => ({ from: dayOf(-back, 1), to: dayOf(1 - back, 0) }))
}

/** Name of the month from its first to its last day, else null. */
export function monthOf({ from, to }: Pick<Filters, 'from' | 'to'>): string | null {
  const first = Date.parse(`${from}T00:00:00Z`)
  const next = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000)
  const isWhole =
    from?.slice(-2) === '01' &&
    next.getUTCDate() === 1 &&
    new Date(first).getUTCMonth() === (next.getUTCMonth() + 11) % 12
  return isWhole && next.getTime() - first < 32 * 86_400_000
    ? new Date(first).toLocaleDateString(locale.value, { month: 'long', timeZone: 'UTC' })
    : null
}

interface DayFieldProps extends PartProps {
  readonly name: 'from' | 'to'
  readonly label: string
}

function DayField({ name, label, filters, choose }: DayFieldProps): JSX.Element {
  return (
    <label>
      {label}
      <span class="field">
        <input
          type="date"
          value={filters[name] ?? ''}
          onChange={({ currentTarget }) => choose({ [name]: currentTarget.value || null })}
        />
      </span>
    </label>
  )
}

interface TypeChoice {
  readonly type: string
  readonly label: string
}

/** Types of a record kind, with labels. */
export function typesOf(kind: ListKind): readonly TypeChoice[] {
  if (kind === 'areas') {
    return (catalogue.value?.lists.area_types ?? []).map(({ value, label }) => ({ type: value, label }))
  }
  const type = kind === 'logs' ? 'log' : kind === 'assets' ? 'asset' : 'term'
  return bundlesOf(type)
    .filter((one) => !isArea(one))
    .map(({ bundle, plural }) => ({ type: bundle, label: plural }))
}
