import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Chip, ChosenChip } from '../../look/chip.tsx'
import { Link } from '../../look/link.tsx'
import { bundlesOf, choiceLabel } from '../../look/names.ts'
import { replace } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { assets, catalogue, mayWrite, terms } from '../../store/local-copy.ts'
import { isArea } from '../../store/record.ts'
import { searchNames } from '../../store/search.ts'
import { day, farmTime } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import {
  activeFilters,
  type ChipName,
  type Filters,
  filtersOf,
  kindOf,
  kinds,
  type ListKind,
  listAddress,
  listOnServer,
  startChoosing,
} from './list-address.ts'

/** Active filters, each removed by a tap, and the button for all filters. */
export function FilterChips({ filters }: { readonly filters: Filters }): JSX.Element {
  const [open, setOpen] = useState(false)
  const list = listOnServer(filters)
  return (
    <div class="chips">
      {activeFilters(filters).map((name) => (
        <ChosenChip
          key={name}
          label={say('records.without', { filter: labelOf(name, filters) })}
          onPress={() => replace(listAddress({ ...filters, [name]: null }))}
        >
          {labelOf(name, filters)}
        </ChosenChip>
      ))}
      {kindOf(filters) === 'logs' && filters.done === null && (
        <Chip onPress={() => replace(listAddress({ ...filters, done: 'no' }))}>{say('records.not-done')}</Chip>
      )}
      <Chip onPress={() => setOpen(true)}>{say('records.filter')}</Chip>
      {mayWrite() && kindOf(filters) !== 'terms' && <Chip onPress={startChoosing}>{say('select.select')}</Chip>}
      {list !== null &&
        formatsOf(filters).map((format) => (
          <a key={format} class="chip" href={list.replace('?', `.${format}?`)} download="">
            {say(`records.${format}`)}
          </a>
        ))}
      {open && <FilterSheet filters={filters} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** Terms have no map formats. */
const formatsOf = (filters: Filters) =>
  kindOf(filters) === 'terms' ? (['xlsx', 'csv'] as const) : (['xlsx', 'csv', 'geojson', 'kml'] as const)

function labelOf(name: ChipName, filters: Filters): string {
  const value = filters[name] ?? ''
  const words: Readonly<Record<ChipName, () => string>> = {
    type: () => typesOf(kindOf(filters)).find(({ type }) => type === value)?.label ?? value,
    done: () => say(value === 'yes' ? 'records.done' : 'records.not-done'),
    archived: () => say('records.archived'),
    flag: () => choiceLabel('flags', value),
    area: () => terms.value.get(value)?.name ?? value,
    asset: () => assets.value.get(value)?.name ?? value,
    from: () => say('records.from-day', { day: day(farmTime(value)) }),
    to: () => say('records.to-day', { day: day(farmTime(value)) }),
    figure: () => say('records.figure'),
  }
  return words[name]()
}

interface FilterSheetProps {
  readonly filters: Filters
  readonly onClose: () => void
}

interface PartProps {
  readonly filters: Filters
  readonly choose: (changes: Partial<Filters>) => void
}

/** All filters of this record type; each applies at once. */
function FilterSheet({ filters, onClose }: FilterSheetProps): JSX.Element {
  const has = (name: ChipName) => filtersOf[kindOf(filters)].includes(name)
  const part: PartProps = { filters, choose: (changes) => replace(listAddress({ ...filters, ...changes })) }
  return (
    <ModalSheet title={say('records.filter')} onClose={onClose}>
      <Types {...part} />
      {has('done') && <Done {...part} />}
      {has('archived') && <Archived {...part} />}
      {has('flag') && <Flags {...part} />}
      {has('area') && <Areas {...part} />}
      {has('from') && <Days {...part} />}
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
  readonly name: 'type' | 'done' | 'archived' | 'flag' | 'area'
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
      <div class="days">
        <DayField {...part} name="from" label={say('records.from')} />
        <DayField {...part} name="to" label={say('records.to')} />
      </div>
    </fieldset>
  )
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
function typesOf(kind: ListKind): readonly TypeChoice[] {
  if (kind === 'areas') {
    return (catalogue.value?.lists.area_types ?? []).map(({ value, label }) => ({ type: value, label }))
  }
  const type = kind === 'logs' ? 'log' : kind === 'assets' ? 'asset' : 'term'
  return bundlesOf(type)
    .filter((one) => !isArea(one))
    .map(({ bundle, plural }) => ({ type: bundle, label: plural }))
}

/** Record kind of the list; a search covers all unless one is chosen. */
export function KindTabs({ filters }: { readonly filters: Filters }): JSX.Element {
  const { q } = filters
  const searching = q !== ''
  const shown = searching ? filters.of : kindOf(filters)
  const tab = (kind: ListKind | null) => (
    <li key={kind ?? 'all'}>
      <Link to={listAddress({ q, of: kind })} current={kind === shown ? 'page' : undefined}>
        {say(`records.${kind ?? 'all'}`)}
      </Link>
    </li>
  )
  return (
    <nav aria-label={say('records.kinds')}>
      <ul class="tabs">
        {searching && tab(null)}
        {kinds.map(tab)}
      </ul>
    </nav>
  )
}
