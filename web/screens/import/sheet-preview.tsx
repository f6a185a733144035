import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { Section } from '../../look/list.tsx'
import { bundleOf, dotted } from '../../look/names.ts'
import { say } from '../../words/say.ts'
import { fieldChoices } from './columns.tsx'
import { CountsAndTerms } from './counts.tsx'
import type { SheetRowResult } from './import-api.ts'
import { answerAndCheck, check } from './import-requests.ts'
import {
  type CellPlace,
  changeOptions,
  edit,
  editOf,
  importOptions,
  rowType,
  type SheetCheck,
  type SheetRow,
} from './import-state.ts'
import { AlikeProblems, BookNotes, faultWords, NotInSheet, Readings, Remembered, Summary } from './preview-summary.tsx'
import type { PlacedFault, SheetColumn, sheetFindings } from './sheet-findings.ts'

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
        <NotInSheet sheet={sheet} />
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

function Faults({ faults }: { readonly faults: readonly PlacedFault[] }): JSX.Element {
  return (
    <>
      {faults.map((fault) => (
        <p class="fault" key={fault.message}>
          {faultWords(fault)}
        </p>
      ))}
    </>
  )
}

/** Rows shown; the server reports up to a thousand. */
const mostListed = 100

function Problems({ faults }: { readonly faults: readonly PlacedFault[] }): JSX.Element {
  return (
    <ul class="faults">
      {faults.slice(0, mostListed).map((fault) => (
        <li key={`${fault.row} ${fault.column} ${fault.message}`}>
          <b>{say('import.problem-at', { row: String(fault.row), column: fault.column })}</b> {faultWords(fault)}
        </li>
      ))}
      {faults.length > mostListed && <li>{say('import.not-told', { count: faults.length - mostListed })}</li>}
    </ul>
  )
}
