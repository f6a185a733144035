/** A time in which somebody was there; `until` is null while it lasts. */
export interface Span {
  readonly from: number
  readonly until: number | null
}

export interface RibbonPart {
  readonly kind: 'stay' | 'rest'
  /** Of the ribbon's length, 0 to 1. */
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
 * The stays between two times as blocks and the gaps between them as rest, up to now. Stays that overlap, and those with less than a
 * day between them, are one block.
 */
export function ribbonParts(stays: readonly Span[], { from, until, now }: RibbonTimes): readonly RibbonPart[] {
  const end = Math.min(until, now)
  const blocks = blocksOf(stays, now).filter((block) => block.until > from && block.from < end)
  const share = (at: number): number => Math.max(0, Math.min(1, (at - from) / (until - from)))
  const part = (kind: RibbonPart['kind'], span: { from: number; until: number }): RibbonPart => ({
    kind,
    start: share(span.from),
    end: share(span.until),
    days: Math.max(1, Math.round((span.until - span.from) / day)),
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

/** The times in which anybody was there, apart from one another by a day at least. */
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
