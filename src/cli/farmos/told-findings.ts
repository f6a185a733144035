import { writeFileSync } from 'node:fs'
import { Refusal } from '../../refusal.ts'
import { Differing } from '../command.ts'
import { say } from '../terminal.ts'
import type { Finding } from './changes.ts'

const examples = 5

const headings = { lost: 'Lost', changed: 'Changed', elsewhere: 'Kept, and shown by /api only' } as const

/** Tells what was found, the first of each reason, and writes all of it to a file. */
export function sayFindings(findings: readonly Finding[], file: string): void {
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

/** How the command ends: in silence where both sides are equal. */
export function concludeWith(findings: readonly Finding[], words: Readonly<Record<'lost' | 'changed', string>>): void {
  const count = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).length
  const [lost, changed] = [count('lost'), count('changed')]
  if (lost > 0) throw new Refusal('conflict', counted(lost, words.lost))
  if (changed > 0) throw new Differing(counted(changed, words.changed))
}

/** The words are those for many. */
const counted = (count: number, words: string): string =>
  count === 1
    ? `1 ${words.replace(/^things (are|would)/, (_, verb) => `thing ${verb === 'are' ? 'is' : verb}`).replace('they were', 'it was')}`
    : `${count.toLocaleString('en')} ${words}`
