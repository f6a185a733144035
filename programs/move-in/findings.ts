import { writeFileSync } from 'node:fs'
import { printable } from '../../src/fields/text.ts'
import { Refusal } from '../../src/refusal.ts'

/** Treatment of values that this farm would refuse or does not have; docs/moving-in.md has a row for each. */
export const cases = {
  'no-name': 'has no name: it is called "(no name)" here',
  'long-name': 'has a name that is too long: it is cut here, and stands whole among its data',
  'escaped-name': 'has a name with HTML entities: kept as it is',
  'no-term': 'is required here and says nothing: the term "(unknown)" stands in its place',
  'required-missing': 'is required here and says nothing: kept as it is',
  'no-time': 'is required here and says nothing: the time of creation stands in its place',
  'other-target': 'refers to a record of another type than is allowed here: kept as it is',
  dangling: 'refers to what is not there: kept as text among its data',
  twice: 'names the same thing twice: once here',
  'foreign-word': 'uses a word that is not in the list here: kept as it is',
  'bad-geometry': 'has a geometry that is no valid WKT: kept as text among its data',
  'control-characters': 'has control characters: spaces stand in their place',
  'other-format': 'has a text format that is not kept here',
  'one-file': 'has one file there: a list of one here',
  'file-description': 'has a description that only /api shows here',
  'bad-value': 'has a value that cannot be kept here: kept as text among its data',
  circle: 'lies in itself: kept as it is',
  'other-file': 'has a file among its images that is none: kept as it is',
  'other-size': 'has another size than the other server says: kept as it came',
  'unknown-account': 'is not told by the other server: an account "(unknown)" with its number stands for it, blocked',
  'no-author': 'does not tell whose it is: nobody here',
  'account-renamed': 'has a name that is taken or not allowed here: it has another here',
  'quantity-type': "is of a quantity type that is not here: a standard quantity, the rest as text among the log's data",
  'several-logs': 'is in several logs: it stays in the first, and the others have it as text among their data',
  'left-out': 'is not shown to this account: lost',
  'missing-file': 'is a file that could not be read: lost',
  'no-number': 'has no sound number: lost',
} as const

export type ChangeCase = keyof typeof cases

const losses: readonly ChangeCase[] = ['missing-file', 'no-number', 'left-out']

/** Both sides show the same after the change, so the rest of the field can be compared. */
const comparable: readonly ChangeCase[] = ['control-characters', 'other-format', 'one-file']

export const isComparable = (name: ChangeCase): boolean => comparable.includes(name)

/** These changes keep the original as text in the record's data. */
const keptAsText: readonly ChangeCase[] = [
  ...(['dangling', 'bad-geometry', 'bad-value', 'long-name', 'missing-file', 'quantity-type', 'several-logs'] as const),
]

export const isKeptAsText = (name: ChangeCase): boolean => keptAsText.includes(name)

/** One difference between the source and this farm. */
export interface MoveChange {
  readonly about: string
  /** The field, and the place in it; empty for the whole record. */
  readonly at: string
  readonly case: ChangeCase
  /** The original value, where it helps. */
  readonly was?: string
}

/** The severity of a difference. `elsewhere`: kept, but shown by /api only. */
type Gravity = 'lost' | 'changed' | 'elsewhere'

function gravityOf({ case: name }: Pick<MoveChange, 'case'>): Gravity {
  if (losses.includes(name)) return 'lost'
  return name === 'file-description' ? 'elsewhere' : 'changed'
}

/** A difference between both sides; findings with the same cause have the same sentence. */
export interface MoveFinding {
  readonly kind: Gravity
  /** The cause, by which findings are grouped. */
  readonly why: string
  readonly sentence: string
}

export const findingOf = (change: MoveChange): MoveFinding => ({
  kind: gravityOf(change),
  why: change.case,
  sentence: sentenceOf(change),
})

export const sentenceOf = ({ about, at, case: name, was }: MoveChange): string =>
  printable(`${about}${at === '' ? '' : `, ${at}`} ${cases[name]}${was === undefined ? '' : ` (${shortened(was)})`}`)

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text)

export type NoteChange = (change: MoveChange) => void

/** Writes lines for the operator. */
export type Say = (...lines: readonly string[]) => void

/** The farm has moved in, but with differences. */
export class FarmsDiffer extends Refusal {
  constructor(sentence: string) {
    super('conflict', sentence)
    this.name = 'FarmsDiffer'
  }
}

const examples = 5

const headings = { lost: 'Lost', changed: 'Changed', elsewhere: 'Kept, and shown by /api only' } as const

/** Prints the first findings of each cause, and writes all of them to a file. */
export function reportFindings(findings: readonly MoveFinding[], file: string, say: Say): void {
  for (const kind of ['lost', 'changed', 'elsewhere'] as const) {
    const those = findings.filter((finding) => finding.kind === kind)
    if (those.length === 0) continue
    say('', `${headings[kind]}: ${those.length.toLocaleString('en')}`)
    for (const why of new Set(those.map((finding) => finding.why))) {
      const alike = those.filter((finding) => finding.why === why)
      say(...alike.slice(0, examples).map(({ sentence }) => `  ${sentence}.`))
      const more = alike.length - examples
      if (more > 0) say(`  And ${more.toLocaleString('en')} more like these.`)
    }
  }
  if (findings.length === 0) return
  writeFileSync(file, findings.map(({ kind, sentence }) => `${kind}: ${sentence}.\n`).join(''), { mode: 0o600 })
  say('', `All of it is listed in ${file}.`)
}

/** Ends the command: silent if both sides are equal. */
export function concludeWith(
  findings: readonly MoveFinding[],
  words: Readonly<Record<'lost' | 'changed', string>>,
): void {
  const count = (kind: MoveFinding['kind']) => findings.filter((finding) => finding.kind === kind).length
  const [lost, changed] = [count('lost'), count('changed')]
  if (lost > 0) throw new Refusal('conflict', counted(lost, words.lost))
  if (changed > 0) throw new FarmsDiffer(counted(changed, words.changed))
}

/** The words are in the plural. */
const counted = (count: number, words: string): string =>
  count === 1
    ? `1 ${words.replace(/^things (are|would)/, (_, verb) => `thing ${verb === 'are' ? 'is' : verb}`).replace('they were', 'it was')}`
    : `${count.toLocaleString('en')} ${words}`
