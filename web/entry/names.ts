import { say } from './say.ts'

const longest = 255
const shownNames = 2

/** "Rosa, Bella +3" */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(', ')
  return names.length > shownNames ? `${shown} +${names.length - shownNames}` : shown
}

/** What a log is called by whom and what it is about; people may change it. */
export const composed = {
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

/** Of a note, up to the end of its first sentence or line. */
function firstLine(note: string): string {
  const [line = ''] = note.trim().split(/\n|(?<=[.!?])\s/)
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1).trimEnd()}…`
}

const cut = (name: string): string => (name.length <= longest ? name : `${name.slice(0, longest - 1)}…`)
