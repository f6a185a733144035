import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { bundleOf, dotted } from '../../look/names.ts'
import { say } from '../../words/say.ts'
import { withoutAdvice } from './import-api.ts'
import { answerAndCheck } from './import-requests.ts'
import { editAll, editOfAll, rowType, type SheetCheck } from './import-state.ts'
import type { AlikeFaults, PlacedFault } from './sheet-findings.ts'

/** "148 Harvests of 2025 · 12 crops · 9 plantings are made · 3 rows need you". */
export function Summary({ sheet: { counts, summary } }: { readonly sheet: SheetCheck }): JSX.Element | null {
  const { created = 0, fault = 0 } = counts
  const type = rowType.value
  if (type === null || summary === undefined || created + fault === 0) return null
  const { types, years, crops, plantings } = summary
  const told = [
    ...Object.entries(types).map(([bundle, count]) =>
      say(years.length > 0 ? 'import.summary.of' : 'import.summary', {
        count,
        what: bundleOf({ ...type, bundle })?.plural ?? '',
        years: years.join(', '),
      }),
    ),
    crops > 0 && say('import.summary.crops', { count: crops }),
    plantings > 0 && say('import.summary.plantings', { count: plantings }),
    fault > 0 && say('import.summary.need', { count: fault }),
  ]
  return (
    <li class="words">
      <h3>{dotted(told.map((one) => one || ''))}</h3>
    </li>
  )
}

/** How numbers and days are read: such a guess changes what a figure means. */
export function Readings({ columns }: Pick<SheetCheck['found'], 'columns'>): JSX.Element {
  const lines = columns.flatMap(({ column, decimal, dates }) => {
    const form =
      decimal === ',' ? (`decimal=${decimal}` as const) : dates && dates !== 'ymd' && (`dates=${dates}` as const)
    return form ? [{ column, form }] : []
  })
  const others = { 'decimal=,': 'decimal=.', 'dates=dmy': 'dates=mdy', 'dates=mdy': 'dates=dmy' } as const
  return (
    <>
      {lines.map(({ column, form }) => (
        <p class="small" key={column}>
          {say('import.part', { part: column, member: say(`import.say.${form}`) })}{' '}
          <Chip onPress={() => answerAndCheck(others[form])}>{say(`import.say.${others[form]}`)}</Chip>
        </p>
      ))}
    </>
  )
}

/** The farm knows sheets with these headers. */
export function Remembered({ found: { remembered } }: Pick<SheetCheck, 'found'>): JSX.Element | null {
  if (remembered === undefined) return null
  const names = remembered.new_columns.join(', ')
  return <p class="small soft">{dotted([say('import.remembered'), names && say('import.new-columns', { names })])}</p>
}

/** Animals that a register lacks: they may have left, but nothing is done to them. */
export function NotInSheet({ sheet: { not_in_sheet: missing } }: { readonly sheet: SheetCheck }): JSX.Element | null {
  if (missing === undefined || missing.count === 0) return null
  const names = missing.animals.map(({ name }) => name).join(', ')
  return (
    <p class="small">
      {say('import.not-in-sheet', { count: missing.count })} {names}
    </p>
  )
}

const mostGroups = 20

/** Problems of one kind: the answer counts for all their rows. */
export function AlikeProblems({ groups }: { readonly groups: readonly AlikeFaults[] }): JSX.Element {
  return (
    <>
      {groups.slice(0, mostGroups).map((fault) => (
        <AlikeProblem key={`${fault.column} ${fault.value} ${fault.message}`} fault={fault} />
      ))}
    </>
  )
}

function AlikeProblem({ fault }: { readonly fault: AlikeFaults }): JSX.Element {
  const { column, value, count, allowed = [] } = fault
  const id = useId()
  return (
    <li class="words">
      <label for={id}>{say('import.alike', { column, value, count })}</label>
      <p class="fault">{faultWords(fault)}</p>
      <span class="field">
        <input
          id={id}
          type="text"
          value={editOfAll(column, value) ?? value}
          onInput={({ currentTarget }) => editAll(column, value, currentTarget.value)}
        />
      </span>
      <div class="options">
        {allowed.slice(0, mostAllowed).map((one) => (
          <Chip key={one} onPress={() => editAll(column, value, one)}>
            {one}
          </Chip>
        ))}
      </div>
    </li>
  )
}

/** Says what was done to the rows of a book. */
export function BookNotes({ notes }: { readonly notes: NonNullable<SheetCheck['found']['notes']> }): JSX.Element {
  return (
    <>
      {notes.map(({ what, column = '', count, rows }) => (
        <p class="small soft" key={`${what} ${column}`}>
          {say(`import.note.${what}`, { column, count, rows: rows.join(', ') })}
        </p>
      ))}
    </>
  )
}

const mostAllowed = 8

/** The message of a fault, with what is possible. */
export function faultWords({ message, allowed = [] }: PlacedFault): string {
  const words = allowed.slice(0, mostAllowed).join(', ')
  return words === '' ? withoutAdvice(message) : `${withoutAdvice(message)}. ${say('import.allowed', { words })}`
}
