import type { ComponentChildren, JSX } from 'preact'
import { figure, now as present } from '../../words/format.ts'
import { type RibbonPart, ribbonParts, type Span } from './ribbon-parts.ts'
import { say } from './say.ts'

interface RibbonProps {
  readonly stays: readonly Span[]
  /** The time that it covers, in seconds. */
  readonly from: number
  readonly until: number
  /** Beginnings of months within that time, with the word to write there. */
  readonly months: readonly { readonly at: number; readonly word: string; readonly isChosen?: boolean }[]
  /** Days of stays above and days of rest between them; the slider has no room for them. */
  readonly figures: 'shown' | 'left out'
  readonly label: string
  readonly children?: ComponentChildren
}

/** Stays are blocks, rest is the gap between them. */
export function Ribbon({ stays, from, until, months, figures, label, children }: RibbonProps): JSX.Element {
  const now = present()
  const parts = ribbonParts(stays, { from, until, now })
  const share = (at: number): string => percent((at - from) / (until - from))
  return (
    <svg class={figures === 'shown' ? 'ribbon figured' : 'ribbon'} role="img" aria-label={label}>
      <rect class="years" x="0" width="100%" y="20" height="24" />
      {now > from && now < until && (
        <rect class="to-come" x={share(now)} width={percent((until - now) / (until - from))} y="20" height="24" />
      )}
      {parts
        .filter(({ kind }) => kind === 'stay')
        .map((part) => (
          <Block key={part.start} part={part} />
        ))}
      {figures === 'shown' && parts.map((part) => <Days key={`${part.kind} ${part.start}`} part={part} />)}
      {months.map(({ at, word, isChosen }) => (
        <g key={at}>
          <line x1={share(at)} x2={share(at)} y1="44" y2="50" />
          <text class={isChosen ? 'now' : undefined} x={share(at)} dx="2" y="66">
            {word}
          </text>
        </g>
      ))}
      {children}
    </svg>
  )
}

function Block({ part: { start, end } }: { readonly part: RibbonPart }): JSX.Element {
  return <rect class="stay" x={percent(start)} width={percent(Math.max(end - start, 0.004))} y="20" height="24" />
}

/** A number that would be wider than its block or gap is left out. */
function Days({ part: { kind, start, end, days, lasts } }: { readonly part: RibbonPart }): JSX.Element | null {
  const middle = percent((start + end) / 2)
  if (kind === 'stay')
    return (
      <text class="now" x={middle} y="14" text-anchor={end > 0.94 ? 'end' : 'middle'}>
        {lasts ? say('place.ribbon-now') : figure(days)}
      </text>
    )
  if (end - start < 0.05) return null
  return (
    <text x={middle} y="37" text-anchor="middle">
      {figure(days)}
    </text>
  )
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`
