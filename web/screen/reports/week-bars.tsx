import type { JSX } from 'preact'
import type { Amount, SumsDocument } from './documents.ts'
import { say } from './say.ts'

const width = 132
const height = 30
const mostWeeks = 53
const week = 7 * 86_400_000

const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`)

/** The weeks of the report, each as high as its amount is beside the largest. */
export function WeekBars({
  amount,
  document,
}: {
  readonly amount: Amount
  readonly document: SumsDocument
}): JSX.Element {
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
