import { assetBy } from '../store/local-copy.ts'
import { say } from '../words/say.ts'

const longest = 255

/** Suggested log names; the user may change them. */
export const logNames = {
  move: (who: string, place: string) => cut(say('entry.name.move', { who, place })),
  harvest: (what: string) => cut(say('entry.name.harvest', { what })),
  seed: (crop: string, place: string) => cut(placed(say('entry.name.seed', { crop }), place)),
  transplant: (crop: string, place: string) => cut(placed(say('entry.name.transplant', { crop }), place)),
  input: (material: string, place: string) => cut(placed(material, place)),
  observe: (note: string, place: string) => cut(firstLine(note) || placed(say('entry.name.observe'), place)),
  weigh: (who: string) => cut(say('entry.name.weigh', { who })),
  treat: (product: string, who: string) => cut(say('entry.name.treat', { product, who })),
  withheld: (who: string) => cut(say('entry.name.withheld', { who })),
  maintain: (note: string, what: string) => cut(firstLine(note) || placed(say('entry.name.maintain'), what)),
}

const placed = (words: string, place: string): string => (place === '' ? words : say('entry.name.in', { words, place }))

const longestLine = 80

/** First sentence or line of a note. */
function firstLine(note: string): string {
  const [line = ''] = note.trim().split(/\n|(?<=[.!?])\s/)
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1).trimEnd()}…`
}

const cut = (name: string): string => (name.length <= longest ? name : `${name.slice(0, longest - 1)}…`)

export const nameOfAsset = (id: string): string => assetBy(id)?.name ?? ''

interface MoveSummary {
  readonly who: string
  /** For a group the number of heads is added. */
  readonly as: 'group' | 'animals'
  readonly count: number
  readonly to: string
  /** Previous place, and days spent there. */
  readonly from?: { readonly place: string; readonly days: number } | undefined
  readonly restsNow: 'rests' | 'holds-others'
}

/** "Milkers (42) are now in North 3" */
export function movedWords({ who, as, count, to }: Pick<MoveSummary, 'who' | 'as' | 'count' | 'to'>): string {
  if (count <= 1) return say('entry.moved.one', { who, to })
  return as === 'group' ? say('entry.moved.many', { who, number: count, to }) : say('entry.moved.some', { who, to })
}

/** `group` if one of them is a group. */
export const movedAs = (all: readonly { readonly bundle: string }[]): MoveSummary['as'] =>
  all.some(({ bundle }) => bundle === 'group') ? 'group' : 'animals'

/** "were 4 days in Hill 1, which now rests" */
export function beforeWords({ count, from, restsNow }: Pick<MoveSummary, 'count' | 'from' | 'restsNow'>): string {
  if (from === undefined) return say('entry.moved.from-nowhere')
  const were = wereWords(count, from)
  return restsNow === 'rests' ? say('entry.moved.rests', { were }) : were
}

/** No days are counted before one day is over. */
function wereWords(count: number, { place, days }: NonNullable<MoveSummary['from']>): string {
  if (days === 0) return say('entry.moved.came', { place })
  return say(count > 1 ? 'entry.moved.were' : 'entry.moved.was', { count: days, place })
}
