import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Where the side that a line begins or ends at is meant. */
const bySide =
  /(?:margin|padding|border)-(?:left|right)\b|(?<![\w-])(?:left|right):|text-align:\s*(?:left|right)|float:\s*(?:left|right)/

/** Four lengths of which the right and the left one differ. */
function isUneven(line: string): boolean {
  const [, lengths = ''] = /(?:margin|padding): (.+);/.exec(line) ?? []
  const [, right, , left = right] = lengths.split(/ (?![^(]*\))/)
  // The edges of the screen itself are left and right for everybody.
  return right !== left && !line.includes('env(safe-area-inset')
}

const faultsIn = (text: string): string[] => text.split('\n').filter((line) => bySide.test(line) || isUneven(line))

it('the look of the app is the same from right to left: no sheet names a side of the screen', () => {
  const sheets = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'))
  expect(sheets).not.toEqual([])
  for (const sheet of sheets) expect(faultsIn(readFileSync(`web/${sheet}`, 'utf8')), sheet).toEqual([])
})

it('the rule sees a side', () => {
  const wrong = [
    'margin-left: 1px;',
    '  left: 4px;',
    'text-align: right;',
    'padding: 0 12px 0 16px;',
    'margin: 0 4px 0 calc(1px + 2px);',
  ]
  for (const line of wrong) expect(faultsIn(line)).toHaveLength(1)
  for (const line of [
    'inset-inline: 4px;',
    'padding: 0 12px 0 12px;',
    'padding: 8px 16px 4px;',
    'margin: 0 calc(1px + 2px);',
  ])
    expect(faultsIn(line)).toEqual([])
})
