import type { JSX } from 'preact'
import { Chip } from '../../look/chip.tsx'
import { Link, pageOfLog } from '../../look/link.tsx'
import { choiceLabel } from '../../look/names.ts'
import { replace, route, withQuery } from '../../look/router.ts'
import { day, figure, shortDay, shortMonth, year } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import type { OlderMeasures, Series } from './measure-series.ts'
import { olderLogsFailure } from './timeline.tsx'

interface MeasuresProps {
  readonly all: readonly Series[]
  readonly older: OlderMeasures
}

/** Chart of one series at a time, with its values in a table. */
export function Measures({ all, older }: MeasuresProps): JSX.Element | null {
  const chosen = all.find(({ key }) => key === route.value.query.get('measure')) ?? all[0]
  if (chosen === undefined) return null
  return (
    <section class="block" aria-label={titleOf(chosen)}>
      <Head series={chosen} />
      <LineChart series={chosen} />
      <Figures series={chosen} />
      <Older older={older} />
      {all.length > 1 && (
        <div class="chips">
          {all.map((series) => (
            <Chip
              pressed={series === chosen}
              onPress={() => replace(withQuery({ measure: series.key }))}
              key={series.key}
            >
              {titleOf(series)}
            </Chip>
          ))}
        </div>
      )}
    </section>
  )
}

/** Measurements from before the copy. */
function Older({ older: { ask, isAsking, failure } }: { readonly older: OlderMeasures }): JSX.Element | null {
  if (ask === undefined) return null
  return (
    <p>
      <button type="button" class="btn" disabled={isAsking} onClick={ask}>
        {say('record.older-figures')}
      </button>{' '}
      <span class="soft small" role="status">
        {failure && olderLogsFailure(failure)}
      </span>
    </p>
  )
}

function titleOf({ label, measure, unit }: Series): string {
  return label ?? (measure === null ? unit : choiceLabel('measures', measure))
}

/** Last value, its day, and the difference to the previous one. */
function Head({ series }: { readonly series: Series }): JSX.Element {
  const { points, unit } = series
  const [before, last] = points.slice(-2)
  if (before === undefined || last === undefined) return <h2 class="sub">{titleOf(series)}</h2>
  const change = Number((last.value - before.value).toPrecision(12))
  return (
    <div class="chart-head">
      <h2 class="sub">{titleOf(series)}</h2>
      <p>
        <b class="num">
          {last.text} {unit}
        </b>{' '}
        <span class="small soft">
          {shortDay(last.at)}
          {change !== 0 && `, ${change > 0 ? '+' : '−'}${figure(Math.abs(change), 3)}`}
        </span>
      </p>
    </div>
  )
}

const frame = { width: 312, height: 88, inset: 8 }
const room = 44
/** More rings would hide the line; then only the last point has one. */
const mostRings = 24

function LineChart({ series: { points, unit, ...kind } }: { readonly series: Series }): JSX.Element {
  const { points: places, lines } = chartParts(points, { ...frame, width: frame.width - room })
  const [first, last] = [points[0], points.at(-1)]
  const label = say('record.chart', {
    what: titleOf({ points, unit, ...kind }),
    from: `${first?.text} ${unit}`,
    since: day(first?.at ?? 0),
    to: `${last?.text} ${unit}`,
    until: day(last?.at ?? 0),
  })
  return (
    <svg class="chart" viewBox={`0 0 ${frame.width} 112`} role="img" aria-label={label}>
      {lines.map(({ y, value }) => (
        <g key={value}>
          <line class="hair" x1="0" x2={frame.width} y1={y} y2={y} />
          <text x={frame.width} y={y - 4} text-anchor="end">
            {figure(value, 3)}
          </text>
        </g>
      ))}
      <polyline points={places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {places.slice(places.length > mostRings ? -1 : 0).map(({ x, y }) => (
        <circle cx={x} cy={y} r="3" key={x} />
      ))}
      <line class="axis" x1="0" x2={frame.width} y1="88" y2="88" />
      {monthsOf(points).map(({ x, word }) => (
        <text x={x} y="106" key={x}>
          {word}
        </text>
      ))}
    </svg>
  )
}

interface Month {
  readonly x: number
  readonly word: string
}

/** Seconds: beyond this, labels are years. */
const long = 500 * 86_400

/** Month labels that fit. */
function monthsOf(points: Series['points']): readonly Month[] {
  const [first = 0, last = 0] = [points[0]?.at, points.at(-1)?.at]
  const months: Month[] = []
  for (const { at } of points) {
    const [before, month] = [
      months.at(-1),
      { x: placeOf(at, first, last), word: last - first > long ? year(at) : shortMonth(at) },
    ]
    if (before === undefined || (before.word !== month.word && month.x - before.x > 36)) months.push(month)
  }
  return months
}

function placeOf(at: number, first: number, last: number): number {
  const width = frame.width - room - 2 * frame.inset
  return last === first ? 0 : ((at - first) / (last - first)) * width
}

function Figures({ series: { points, unit } }: { readonly series: Series }): JSX.Element {
  return (
    <details class="disclosure">
      <summary>{say('record.all-figures', { count: points.length })}</summary>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{say('record.day')}</th>
            <th scope="col">{unit === '' ? say('record.value') : unit}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, text, log }) => (
            <tr key={`${log} ${text}`}>
              <td>
                <Link to={pageOfLog(log)} class="because tap">
                  {day(at)}
                </Link>
              </td>
              <td class="num">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

interface ChartPoint {
  readonly at: number
  readonly value: number
}

interface ChartParts {
  /** Pixels in a drawing of `width` by `height`. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly lines: readonly { readonly y: number; readonly value: number }[]
}

interface Frame {
  readonly width: number
  readonly height: number
  /** Margin, so that no point is cut. */
  readonly inset: number
}

/** Positions of the points, and two or three round grid values. */
export function chartParts(points: readonly ChartPoint[], { width, height, inset }: Frame): ChartParts {
  const [first = 0, last = 0] = [points[0]?.at, points.at(-1)?.at]
  const values = points.map(({ value }) => value)
  const low = Math.min(...values)
  const high = Math.max(...values)
  const across = (at: number) => inset + (last === first ? 0.5 : (at - first) / (last - first)) * (width - 2 * inset)
  const up = (value: number) =>
    height - inset - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * inset)
  return {
    points: points.map(({ at, value }) => ({ x: across(at), y: up(value) })),
    lines: roundValues(low, high).map((value) => ({ y: up(value), value })),
  }
}

/** Two to four round values in the range: 600, 640. */
export function roundValues(low: number, high: number): readonly number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / 2
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = size * ([5, 2, 1].find((factor) => factor * size <= rough) ?? 1)
  const from = Math.ceil(low / step - 1e-9)
  const to = Math.floor(high / step + 1e-9)
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)))
}
