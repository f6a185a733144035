import { say } from './say.ts'

interface Moved {
  readonly who: string
  /** Of a group the number is said, too. */
  readonly as: 'group' | 'animals'
  readonly count: number
  readonly to: string
  /** Where they were before, and for how many days. */
  readonly from?: { readonly place: string; readonly days: number } | undefined
  readonly restsNow: 'rests' | 'holds-others'
}

/** "Milkers (42) are now in North 3" */
export function movedWords({ who, as, count, to }: Pick<Moved, 'who' | 'as' | 'count' | 'to'>): string {
  if (count <= 1) return say('entry.moved.one', { who, to })
  return as === 'group' ? say('entry.moved.many', { who, number: count, to }) : say('entry.moved.some', { who, to })
}

/** A group, if there is one among them. */
export const movedAs = (all: readonly { readonly bundle: string }[]): Moved['as'] =>
  all.some(({ bundle }) => bundle === 'group') ? 'group' : 'animals'

/** "were 4 days in Hill 1, which now rests" */
export function beforeWords({ count, from, restsNow }: Pick<Moved, 'count' | 'from' | 'restsNow'>): string {
  if (from === undefined) return say('entry.moved.from-nowhere')
  const were = wereWords(count, from)
  return restsNow === 'rests' ? say('entry.moved.rests', { were }) : were
}

/** Of a day that is not over nothing is counted. */
function wereWords(count: number, { place, days }: NonNullable<Moved['from']>): string {
  if (days === 0) return say('entry.moved.came', { place })
  return say(count > 1 ? 'entry.moved.were' : 'entry.moved.was', { count: days, place })
}
