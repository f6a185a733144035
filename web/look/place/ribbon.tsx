import type { ComponentChildren, JSX } from 'preact'
import { place } from '../../../src/words/en/place.ts'
import { figure, now as present } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'

addWords(place)

interface RibbonProps {
  readonly stays: readonly Span[]
  /** Seconds: the covered period. */
  readonly from: number
  readonly until: number
  /** Month starts in the period, with labels. */
  readonly months: readonly { readonly at: number; readonly word: string; readonly isChosen?: boolean }[]
  /** Number of days of stays and rest; the slider has no room for them. */
  readonly figures: 'shown' | 'left out'
  readonly label: string
  readonly children?: ComponentChildren
}

/** Draws stays as blocks and rest as gaps. */
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

/** Omits a number that is wider than its block or gap. */
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

/** A stay; `until` is null while it lasts. */
interface Span {
  readonly from: number
  readonly until: number | null
}

interface RibbonPart {
  readonly kind: 'stay' | 'rest'
  /** Fractions of the ribbon's length, 0 to 1. */
  readonly start: number
  readonly end: number
  readonly days: number
  readonly lasts: boolean
}

const day = 86_400

interface RibbonTimes {
  readonly from: number
  readonly until: number
  readonly now: number
}

/**
 * Splits a period into blocks (stays) and gaps (rest) up to now. Stays that overlap, or are less than a day apart,
 * form one block.
 */
export function ribbonParts(stays: readonly Span[], { from, until, now }: RibbonTimes): readonly RibbonPart[] {
  const end = Math.min(until, now)
  const blocks = blocksOf(stays, now).filter((block) => block.until > from && block.from < end)
  const share = (at: number): number => Math.max(0, Math.min(1, (at - from) / (until - from)))
  const part = (kind: RibbonPart['kind'], span: { from: number; until: number }): RibbonPart => ({
    kind,
    start: share(span.from),
    end: share(span.until),
    // Whole days of rest, as in `restOf`.
    days: Math.max(1, Math[kind === 'rest' ? 'floor' : 'round']((span.until - span.from) / day)),
    lasts: kind === 'stay' && span.until >= now,
  })
  const parts: RibbonPart[] = []
  let before = from
  for (const block of blocks) {
    if (block.from > before) parts.push(part('rest', { from: before, until: block.from }))
    parts.push(part('stay', block))
    before = block.until
  }
  if (before < end) parts.push(part('rest', { from: before, until: end }))
  return parts
}

/** Merged periods of all stays, at least a day apart. */
export function blocksOf(
  stays: readonly Span[],
  now: number,
): readonly { readonly from: number; readonly until: number }[] {
  const blocks: { from: number; until: number }[] = []
  for (const stay of [...stays].sort((one, other) => one.from - other.from)) {
    const until = stay.until ?? Math.max(now, stay.from)
    const last = blocks.at(-1)
    if (last !== undefined && stay.from - last.until < day) last.until = Math.max(last.until, until)
    else blocks.push({ from: stay.from, until })
  }
  return blocks
}
