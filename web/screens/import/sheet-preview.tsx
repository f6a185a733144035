import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { Section } from '../../look/list.tsx'
import { bundleOf, dotted } from '../../look/names.ts'
import { say } from '../../words/say.ts'
import { fieldChoices } from './columns.tsx'
import { CountsAndTerms } from './counts.tsx'
import { type SheetRowResult, withoutAdvice } from './import-api.ts'
import { answerAndCheck, check } from './import-requests.ts'
import {
  type CellPlace,
  changeOptions,
  edit,
  editAll,
  editOf,
  editOfAll,
  importOptions,
  rowType,
  type SheetCheck,
  type SheetRow,
} from './import-state.ts'
import type { AlikeFaults, PlacedFault, SheetColumn, sheetFindings } from './sheet-findings.ts'

interface PreviewProps {
  readonly sheet: SheetCheck
  readonly findings: ReturnType<typeof sheetFindings>
}

/** Preview of the first rows and rows with problems, each problem at its cell. */
export function SheetPreview({ sheet, findings }: PreviewProps): JSX.Element | null {
  const { counts, shown } = sheet
  const { elsewhere } = findings
  const omitted = counts.not_told ?? 0
  const needing = new Set(sheet.rows.filter(({ result }) => result === 'fault').map(({ row }) => row))
  const ordered = [...shown.filter(({ row }) => needing.has(row)), ...shown.filter(({ row }) => !needing.has(row))]
  return (
    <Section title={say('import.preview')}>
      <Summary sheet={sheet} />
      <CountsAndTerms counts={counts} terms={sheet.would_create}>
        <Readings columns={sheet.found.columns} />
        <Remembered found={sheet.found} />
        <DoneOrPlanned counts={counts} isSaid={findings.columns.some(({ found }) => found?.field === 'done')} />
        <BookNotes notes={sheet.found.notes ?? []} />
        <RecordAnyway count={counts.recorded ?? 0} />
        {findings.areAtCells && <p class="small soft">{say('import.mend-here')}</p>}
      </CountsAndTerms>
      <AlikeProblems groups={findings.alike} />
      <li>
        <Cells sheet={sheet} findings={findings} shown={ordered} />
      </li>
      {elsewhere.length > 0 && (
        <li class="words">
          <h3>{say('import.more-problems')}</h3>
          <Problems faults={elsewhere} />
          {omitted > 0 && <p class="small">{say('import.not-told', { count: omitted })}</p>}
        </li>
      )}
    </Section>
  )
}

/** "148 Harvests of 2025 · 12 crops · 9 plantings are made · 3 rows need you". */
function Summary({ sheet: { counts, summary } }: Pick<PreviewProps, 'sheet'>): JSX.Element | null {
  const { created = 0, fault = 0 } = counts
  const type = rowType.value
  if (type === null || summary === undefined || created + fault === 0) return null
  const what = bundleOf(type)?.plural ?? ''
  const { years, crops, plantings } = summary
  const told = [
    created > 0 &&
      say(years.length > 0 ? 'import.summary.of' : 'import.summary', { count: created, what, years: years.join(', ') }),
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
function Readings({ columns }: Pick<SheetCheck['found'], 'columns'>): JSX.Element {
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
function Remembered({ found: { remembered } }: Pick<SheetCheck, 'found'>): JSX.Element | null {
  if (remembered === undefined) return null
  const names = remembered.new_columns.join(', ')
  return <p class="small soft">{dotted([say('import.remembered'), names && say('import.new-columns', { names })])}</p>
}

const mostGroups = 20

/** Problems of one kind: the answer counts for all their rows. */
function AlikeProblems({ groups }: { readonly groups: readonly AlikeFaults[] }): JSX.Element {
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
      <p class="fault">{wordsOf(fault)}</p>
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
function BookNotes({ notes }: { readonly notes: NonNullable<SheetCheck['found']['notes']> }): JSX.Element {
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

/** Rows that were imported before can be imported once more. */
function RecordAnyway({ count }: { readonly count: number }): JSX.Element | null {
  if (count === 0) return null
  const again = () => {
    changeOptions({ parameters: { again: '1' } })
    void check()
  }
  return (
    <div class="options">
      <Chip onPress={again}>{say('import.record-anyway', { count })}</Chip>
    </div>
  )
}

const doneReadings = ['done=1', 'done=0', 'done=day'] as const

/** Counts of done and planned logs, with chips to change how they are imported. */
function DoneOrPlanned({
  counts,
  isSaid,
}: Pick<SheetCheck, 'counts'> & { readonly isSaid: boolean }): JSX.Element | null {
  const { done, planned } = counts
  if (done === undefined || planned === undefined) return null
  const parameters = `done=${importOptions.value.parameters.done || 'day'}`
  const others = isSaid ? [] : doneReadings.filter((one) => one !== parameters)
  return (
    <>
      <p>{dotted([say('import.done-logs', { count: done }), say('import.planned-logs', { count: planned })])}</p>
      <div class="options">
        {others.map((one) => (
          <Chip key={one} onPress={() => answerAndCheck(one)}>
            {say(`import.say.${one}`)}
          </Chip>
        ))}
      </div>
    </>
  )
}

function Cells({ sheet: { rows, counts }, findings, shown }: PreviewProps & Pick<SheetCheck, 'shown'>): JSX.Element {
  // Rows are checked only after the columns are clear.
  const rowResult = new Map(counts.created === undefined ? [] : rows.map((row) => [row.row, row]))
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (box.current !== null) showFirstFault(box.current)
  }, [shown])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a scrolling region
    <section class="cells" ref={box} aria-label={say('import.cells')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say('import.row')}</th>
            {findings.columns.map(({ header, found }, at) => (
              <th scope="col" key={`${at} ${header}`}>
                <bdi>{header}</bdi>
                <small>{found && fieldLabel(found.field)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <CellsOfRow key={row.row} row={row} rowResult={rowResult.get(row.row)} findings={findings} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Label of a field. */
function fieldLabel(field: string): string {
  const bundle = rowType.value === null ? undefined : bundleOf(rowType.value)
  const choices = bundle === undefined ? [] : fieldChoices(bundle, rowType.value?.type)
  const [, subject = field, unit] = /^(\w+) \((.*)\)$/.exec(field) ?? []
  const known = choices.find(({ name }) => name === subject)?.label
  const label = known ?? (subject === 'amount' ? say('import.field.amount') : subject)
  return unit === undefined ? label : `${label} (${unit})`
}

/** Scrolls the first fault into view; the row numbers are sticky. */
function showFirstFault(box: HTMLElement): void {
  const wrong = box.querySelector<HTMLElement>('td:has(.fault)')
  const number = box.querySelector('th')
  box.scrollLeft = (wrong?.offsetLeft ?? 0) - (number?.offsetWidth ?? 0)
}

interface RowProps extends Pick<PreviewProps, 'findings'> {
  readonly row: SheetRow
  readonly rowResult: SheetRowResult | undefined
}

function CellsOfRow({
  row: { row, place, cells },
  rowResult,
  findings: { columns, at: faultsAt, atRow },
}: RowProps): JSX.Element {
  return (
    <tr>
      <th scope="row">
        {place ?? row}
        {rowResult !== undefined && <small>{say(`import.result.${rowResult.result}`)}</small>}
        <Faults
          faults={atRow(row).map(({ column, message, ...fault }) => ({
            ...{ ...fault, column },
            message: say('import.part', { part: fieldLabel(column), member: message }),
          }))}
        />
      </th>
      {columns.map(({ header }: SheetColumn, at) => {
        const faults = faultsAt(row, header)
        const text = cells[at] ?? ''
        return faults.length === 0 ? (
          <td key={`${at} ${header}`}>{shortened(text)}</td>
        ) : (
          <WrongCell key={`${at} ${header}`} place={{ row, at }} column={header} text={text} faults={faults} />
        )
      })}
    </tr>
  )
}

const mostShown = 60

const shortened = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)

interface WrongCellProps {
  readonly place: CellPlace
  readonly column: string
  readonly text: string
  readonly faults: readonly PlacedFault[]
}

/** A cell that can be corrected in place. */
function WrongCell({ place, column, text, faults }: WrongCellProps): JSX.Element {
  const id = useId()
  return (
    <td>
      <span class="field">
        <input
          type="text"
          aria-label={say('import.cell', { column, row: String(place.row) })}
          aria-invalid="true"
          aria-describedby={id}
          value={editOf(place) ?? text}
          onInput={({ currentTarget }) => edit(place, currentTarget.value)}
        />
      </span>
      <div id={id}>
        <Faults faults={faults} />
      </div>
    </td>
  )
}

const mostAllowed = 8

function Faults({ faults }: { readonly faults: readonly PlacedFault[] }): JSX.Element {
  return (
    <>
      {faults.map((fault) => (
        <p class="fault" key={fault.message}>
          {wordsOf(fault)}
        </p>
      ))}
    </>
  )
}

function wordsOf({ message, allowed = [] }: PlacedFault): string {
  const words = allowed.slice(0, mostAllowed).join(', ')
  return words === '' ? withoutAdvice(message) : `${withoutAdvice(message)}. ${say('import.allowed', { words })}`
}

/** Rows shown; the server reports up to a thousand. */
const mostListed = 100

function Problems({ faults }: { readonly faults: readonly PlacedFault[] }): JSX.Element {
  return (
    <ul class="faults">
      {faults.slice(0, mostListed).map((fault) => (
        <li key={`${fault.row} ${fault.column} ${fault.message}`}>
          <b>{say('import.problem-at', { row: String(fault.row), column: fault.column })}</b> {wordsOf(fault)}
        </li>
      ))}
      {faults.length > mostListed && <li>{say('import.not-told', { count: faults.length - mostListed })}</li>}
    </ul>
  )
}
