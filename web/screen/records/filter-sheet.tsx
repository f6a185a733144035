import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { replace } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { catalogue, terms } from '../../store/local-copy.ts'
import { searchNames } from '../../store/search.ts'
import { type ChipName, type Filters, filtersOf, kindOf, listAt } from './filters.ts'
import { say } from './say.ts'
import { typesOf } from './types-of.ts'

interface FilterSheetProps {
  readonly filters: Filters
  readonly onClose: () => void
}

interface PartProps {
  readonly filters: Filters
  readonly choose: (changes: Partial<Filters>) => void
}

/** Every filter of this kind of record; each works as soon as it is chosen. */
export function FilterSheet({ filters, onClose }: FilterSheetProps): JSX.Element {
  const has = (name: ChipName) => filtersOf[kindOf(filters)].includes(name)
  const part: PartProps = { filters, choose: (changes) => replace(listAt({ ...filters, ...changes })) }
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

/** Chips of which one may be pressed; a second tap lets it go. */
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

/** A farm may have thousands: a few that fit what is typed. */
function Areas(part: PartProps): JSX.Element {
  const [text, setText] = useState('')
  const id = useId()
  const found = searchNames(text).filter(({ bundle }) => bundle === 'farm_areas')
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
