import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { KeptReportName } from '../../../src/reports/report-names.ts'
import { Chip, ChosenChip } from '../../look/chip.tsx'
import { replace, route, withQuery } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { assets, catalogue, me, terms } from '../../store/local-copy.ts'
import type { LocalRecord } from '../../store/record.ts'
import { searchNames } from '../../store/search.ts'
import { say } from '../../words/say.ts'
import { type ChosenFilter, filtersIn, groupIn, periodWords, thisYear, withFilter } from './report-query.ts'
import { groupings } from './report-words.ts'

interface OptionsProps {
  readonly report: KeptReportName
  /** Log types of the report; their fields are filters. */
  readonly types: readonly string[]
}

/** Chips for period, grouping and filters. */
export function Options({ report, types }: OptionsProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const { query } = route.value
  const filters = filtersIn(query, report)
  const group = groupIn(query, report)
  return (
    <div class="chips rep-chips">
      <button type="button" class="chip on" onClick={() => setOpen(true)}>
        {periodWords(query)}
      </button>
      {group !== undefined && <Chip onPress={() => setOpen(true)}>{say(`reports.by.${group}`)}</Chip>}
      {filters.map((filter) => {
        const words = `${fieldLabel(filter.field, types)}: ${valueLabel(filter, types)}`
        return (
          <ChosenChip key={words} label={words} onPress={() => replace(withFilter(filter, 'take away'))}>
            {words}
          </ChosenChip>
        )
      })}
      {filters.length === 0 && <Chip onPress={() => setOpen(true)}>{say('reports.no-filter')}</Chip>}
      {open && (
        <ModalSheet title={say('reports.options')} onClose={() => setOpen(false)}>
          <Period />
          {group !== undefined && <Groups report={report} />}
          {report !== 'field-history' && <Units />}
          <FilterChoice types={types} />
        </ModalSheet>
      )}
    </div>
  )
}

/** Changes the report and drops the chosen figure, which belongs to the old one. */
const choose = (changes: Readonly<Record<string, string | null>>): void =>
  replace(withQuery({ figure: null, ...changes }))

interface GroupProps {
  readonly title: string
  readonly children: ComponentChildren
}

function Choices({ title, children }: GroupProps): JSX.Element {
  return (
    <fieldset class="filter">
      <legend>{title}</legend>
      <div class="chips">{children}</div>
    </fieldset>
  )
}

function Period(): JSX.Element {
  const { query } = route.value
  const year = Number(thisYear())
  const [from, to] = [query.get('from'), query.get('to')]
  const isYear = (one: number) => from === `${one}-01-01` && to === `${one}-12-31`
  return (
    <>
      <Choices title={say('reports.period')}>
        <Chip pressed={from === null && to === null} onPress={() => choose({ from: null, to: null })}>
          {say('reports.this-year', { year: thisYear() })}
        </Chip>
        {[year - 1, year - 2].map((one) => (
          <Chip key={one} pressed={isYear(one)} onPress={() => choose({ from: `${one}-01-01`, to: `${one}-12-31` })}>
            {String(one)}
          </Chip>
        ))}
      </Choices>
      <div class="days">
        {(['from', 'to'] as const).map((name) => (
          <label key={name}>
            {say(`reports.${name}`)}
            <span class="field">
              <input
                type="date"
                value={query.get(name) ?? ''}
                onChange={({ currentTarget }) => choose({ [name]: currentTarget.value || null })}
              />
            </span>
          </label>
        ))}
      </div>
    </>
  )
}

function Groups({ report }: { readonly report: KeptReportName }): JSX.Element {
  const chosen = groupIn(route.value.query, report)
  return (
    <Choices title={say('reports.group')}>
      {groupings[report]?.map((group, at) => (
        <Chip key={group} pressed={group === chosen} onPress={() => choose({ group: at === 0 ? null : group })}>
          {say(`reports.each.${group}`)}
        </Chip>
      ))}
    </Choices>
  )
}

function Units(): JSX.Element {
  const chosen = route.value.query.get('units') ?? me.value?.farm.system_of_measurement
  return (
    <Choices title={say('reports.units')}>
      {(['metric', 'us'] as const).map((units) => (
        <Chip key={units} pressed={units === chosen} onPress={() => choose({ units })}>
          {say(`reports.units.${units}`)}
        </Chip>
      ))}
    </Choices>
  )
}

type Field = NonNullable<ReturnType<typeof fieldsOf>[string]>

/** Field kinds that can be filtered. */
const choosable: readonly string[] = ['reference', 'choice', 'text']

/** Filterable fields of these log types, including those of modules. */
function fieldsOf(types: readonly string[]) {
  const bundles = catalogue.value?.types.log ?? {}
  return Object.assign({}, ...types.map((type) => bundles[type]?.fields ?? {})) as NonNullable<
    (typeof bundles)[string]
  >['fields']
}

const fieldLabel = (name: string, types: readonly string[]): string => fieldsOf(types)[name]?.label ?? name

function valueLabel({ field, value }: ChosenFilter, types: readonly string[]): string {
  const { to, list } = fieldsOf(types)[field] ?? {}
  if (to === 'farm_asset') return assets.value.get(value)?.name ?? value
  if (to === 'taxonomy_term' || field === 'area') return terms.value.get(value)?.name ?? value
  return choicesIn(list).find((one) => one.value === value)?.label ?? value
}

const choicesIn = (list: string | undefined) => (list === undefined ? [] : (catalogue.value?.lists[list] ?? []))

/** Filter by any field of the report's logs. */
function FilterChoice({ types }: { readonly types: readonly string[] }): JSX.Element | null {
  const [chosen, setChosen] = useState('')
  const id = useId()
  const fields = fieldsOf(types)
  const names = Object.keys(fields).filter((name) => isChoosable(fields[name]))
  if (names.length === 0) return null
  const field = fields[chosen]
  return (
    <fieldset class="filter">
      <legend>
        <label for={id}>{say('reports.only')}</label>
      </legend>
      <span class="field">
        <select id={id} value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          <option value="">{say('reports.choose-field')}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {fields[name]?.label}
            </option>
          ))}
        </select>
      </span>
      {field && <Values key={chosen} name={chosen} field={field} />}
    </fieldset>
  )
}

const isChoosable = (field: Field | undefined): boolean =>
  field !== undefined && choosable.includes(field.kind) && field.to !== 'user' && field.on_request !== true

const suggested = 8

function Values({ name, field }: { readonly name: string; readonly field: Field }): JSX.Element {
  const [text, setText] = useState('')
  const add = (value: string) => replace(withFilter({ field: name, value }, 'add'))
  const choices =
    field.kind === 'choice'
      ? choicesIn(field.list)
      : field.kind === 'reference'
        ? searchNames(text)
            .filter(isOf(field))
            .slice(0, suggested)
            .map(({ id: value, name: label }) => ({ value, label }))
        : []
  return (
    <>
      {field.kind !== 'choice' && <ValueField label={say('reports.value')} value={text} onText={setText} />}
      <div class="chips">
        {field.kind === 'text' && text !== '' && <Chip onPress={() => add(text)}>{say('reports.add-filter')}</Chip>}
        {choices.map(({ value, label }) => (
          <Chip key={value} onPress={() => add(value)}>
            {label}
          </Chip>
        ))}
      </div>
    </>
  )
}

/** True if the field refers to it. */
const isOf =
  ({ to, within }: Field) =>
  ({ type, bundle }: LocalRecord): boolean =>
    type === (to === 'farm_asset' ? 'asset' : 'term') &&
    (within === undefined || within === 'own' || within.includes(bundle))

interface ValueFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}

/** Input with suggestions. */
export function ValueField({ label, value, onText }: ValueFieldProps): JSX.Element {
  const id = useId()
  return (
    <label class="values" for={id}>
      {label}
      <span class="field">
        <input id={id} value={value} autocomplete="off" onInput={({ currentTarget }) => onText(currentTarget.value)} />
      </span>
    </label>
  )
}
