import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip, ChosenChip } from '../../look/chip.tsx'
import { replace, route, withQuery } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { me } from '../../store/local-copy.ts'
import { filtersIn, groupIn, periodWords, thisYear, withFilter } from './asked.ts'
import { groupings, type ReportName } from './documents.ts'
import { FilterChoice, fieldLabel, valueLabel } from './filter-choice.tsx'
import { say } from './say.ts'

interface OptionsProps {
  readonly report: ReportName
  /** The log types that are in it: their fields can be asked for. */
  readonly types: readonly string[]
}

/** The days, the lines and the filters, as chips that lead to all choices. */
export function Options({ report, types }: OptionsProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const { query } = route.value
  const filters = filtersIn(query, report)
  return (
    <div class="chips rep-chips">
      <button type="button" class="chip on" onClick={() => setOpen(true)}>
        {periodWords(query)}
      </button>
      <Chip onPress={() => setOpen(true)}>{say(`reports.by.${groupIn(query, report)}`)}</Chip>
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
          <Groups report={report} />
          {report !== 'field-history' && <Units />}
          <FilterChoice types={types} />
        </ModalSheet>
      )}
    </div>
  )
}

/** Another report is shown; the logs of a figure of this one are not of it. */
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

function Groups({ report }: { readonly report: ReportName }): JSX.Element {
  const chosen = groupIn(route.value.query, report)
  return (
    <Choices title={say('reports.group')}>
      {groupings[report].map((group, at) => (
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
