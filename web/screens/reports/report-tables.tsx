import type { ComponentChildren, JSX } from 'preact'
import type { FigureDocument } from '../../../src/doors/furrow/reports/report-description.ts'
import { dayAndYear, farmTime } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import type { SumsAmount, SumsDocument, SumsLine } from './report-words.ts'
import {
  allNames,
  amountText,
  conversions,
  decimalText,
  lineSecond,
  lineTitle,
  measured,
  productOf,
} from './report-words.ts'

/** Renders a figure: as a link on the screen, as text on paper. */
export type ShowFigure = (props: {
  readonly figure: FigureDocument
  readonly children: ComponentChildren
}) => JSX.Element

interface TableProps<Document> {
  readonly document: Document
  readonly figure: ShowFigure
}

/** One row per crop, material or place. */
export function SumsTable({ document, figure }: TableProps<SumsDocument>): JSX.Element {
  const isHarvest = document.report === 'harvest'
  const [group = 'crop'] = document.group
  return (
    <table class="rep">
      <thead>
        <tr>
          <th scope="col">{say(`reports.each.${group}`)}</th>
          <th scope="col" class="n">
            {say(`reports.count.${document.report}`)}
          </th>
          <th scope="col" class="n">
            {say('reports.amount')}
          </th>
          {isHarvest && (
            <th scope="col" class="n y">
              {say('reports.yield')}
            </th>
          )}
          <th scope="col" class="sp">
            {say('reports.weeks')}
          </th>
        </tr>
      </thead>
      {linesInOrder(document.lines).map((line) => (
        <LineRows key={line.logs.list || lineTitle(line, document)} line={line} document={document} figure={figure} />
      ))}
    </table>
  )
}

/** Lines known only by type come last. */
export const linesInOrder = (lines: readonly SumsLine[]): readonly SumsLine[] => {
  const isKnown = ({ crops, materials }: SumsLine) => crops.length + materials.length > 0
  return [...lines.filter(isKnown), ...lines.filter((line) => !isKnown(line))]
}

function LineRows({ line, document, figure }: TableProps<SumsDocument> & { readonly line: SumsLine }): JSX.Element {
  const amounts: readonly (SumsAmount | null)[] = line.amounts.length === 0 ? [null] : line.amounts
  const second = lineSecond(line, document)
  const Shown = figure
  return (
    <tbody>
      {amounts.map((amount, at) => (
        <tr key={amount?.logs.list || at}>
          {at === 0 && (
            <>
              <th scope="rowgroup" rowSpan={amounts.length}>
                <bdi>{lineTitle(line, document)}</bdi>
                {second && <small class="soft">{second}</small>}
              </th>
              <td class="n" rowSpan={amounts.length}>
                <Shown figure={line.logs}>{line.logs.count}</Shown>
              </td>
            </>
          )}
          <td class="n">{amount && <AmountCell amount={amount} figure={figure} />}</td>
          {document.report === 'harvest' && <td class="n y">{amount && <YieldOf amount={amount} />}</td>}
          <td class="sp">{amount && <WeekBars amount={amount} document={document} />}</td>
        </tr>
      ))}
    </tbody>
  )
}

function AmountCell({
  amount,
  figure: Shown,
}: {
  readonly amount: SumsAmount
  readonly figure: ShowFigure
}): JSX.Element {
  return (
    <>
      <Shown figure={amount.logs}>{amountText(amount)}</Shown>
      {[productOf(amount), ...conversions(amount)].filter(isWord).map((words) => (
        <small key={words} class="soft counted">
          {words}
        </small>
      ))}
    </>
  )
}

const isWord = (words: string | null): words is string => words !== null

function YieldOf({ amount }: { readonly amount: SumsAmount }): JSX.Element {
  if (amount.yield === null) return <span class="soft">{say('reports.no-size')}</span>
  const { value, unit } = amount.yield
  return <>{amountText({ value, unit, label: '' })}</>
}

const width = 132
const height = 30
const mostWeeks = 53
const week = 7 * 86_400_000

const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`)

/** Bars per week, relative to the largest. */
function WeekBars({ amount, document }: { readonly amount: SumsAmount; readonly document: SumsDocument }): JSX.Element {
  const last = dayOf(document.to)
  const first = Math.max(dayOf(document.from), last - mostWeeks * week)
  const count = Math.max(12, Math.ceil((last - first) / week) + 1)
  const step = width / count
  const shown = amount.weeks.map(({ monday, value, logs }) => ({
    at: count - 1 - Math.floor((last - dayOf(monday)) / week),
    size: value === null ? logs.count : Number(value),
  }))
  const largest = Math.max(...shown.map(({ size }) => size), Number.MIN_VALUE)
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" class="weeks">
      <title>{say('reports.weeks-shown', { count: amount.weeks.length })}</title>
      {shown
        .filter(({ at }) => at >= 0)
        .map(({ at, size }) => {
          const tall = Math.max(1, Math.round((size / largest) * (height - 4)))
          return <rect key={at} x={at * step} y={height - 1 - tall} width={Math.max(1, step - 1.5)} height={tall} />
        })}
      <path d={`M0 ${height - 0.5}h${width}`} />
    </svg>
  )
}

/** Yield of each planting. */
export function YieldsTable({ document, figure: Shown }: TableProps<SumsDocument>): JSX.Element | null {
  if (document.yields.length === 0) return null
  return (
    <section>
      <h2>{say('reports.yields')}</h2>
      <table class="rep">
        <thead>
          <tr>
            <th scope="col">{say('reports.planting')}</th>
            <th scope="col" class="n y">
              {say('reports.size')}
            </th>
            <th scope="col" class="n">
              {say('reports.amount')}
            </th>
            <th scope="col" class="n">
              {say('reports.yield')}
            </th>
          </tr>
        </thead>
        <tbody>
          {document.yields.map((one) => (
            <tr key={`${one.planting.id} ${one.measure} ${one.label} ${one.unit}`}>
              <th scope="row">
                <bdi>{one.planting.name}</bdi>
                <small class="soft">{allNames(one.crops)}</small>
              </th>
              <td class="n y">{say('reports.square-metres', { size: decimalText(one.yield.square_metres) })}</td>
              <td class="n">
                <Shown figure={one.logs}>{amountText(one)}</Shown>
                {conversions(one).map((words) => (
                  <small key={words} class="soft counted">
                    {words}
                  </small>
                ))}
              </td>
              <td class="n wraps">{measured(one.yield.value, one.yield.unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Renders a log name: as a link on the screen. */
export type ShowLog = (props: { readonly id: string; readonly name: string }) => JSX.Element

interface WithholdingProps {
  readonly document: SumsDocument
  readonly log: ShowLog
}

/** Withholding periods of treated animals, and their treatments. */
export function Withholding({ document, log: Log }: WithholdingProps): JSX.Element | null {
  if (document.withholding.length === 0) return null
  return (
    <section>
      <h2>{say('reports.withholding')}</h2>
      <table class="rep">
        <tbody>
          {document.withholding.map((one) => (
            <tr key={`${one.id} ${one.product} ${one.until}`}>
              <th scope="row">
                {say(`reports.product.${one.product}`)}
                <small class="soft">{allNames(one.assets)}</small>
              </th>
              <td>
                {say('reports.until', { day: dayAndYear(farmTime(one.until)) })}
                <small>
                  <AfterTreatment log={Log} id={one.id} name={one.name} />
                </small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const hole = '\u0000'

function AfterTreatment({ log: Log, id, name }: { log: ShowLog; id: string; name: string }): JSX.Element {
  const [before, after] = say('reports.after', { treatment: hole }).split(hole)
  return (
    <>
      {before}
      <Log id={id} name={name} />
      {after}
    </>
  )
}
