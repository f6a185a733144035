import { expect, it } from 'vitest'
import { joinedValues, namedInCell, numberInName, separateValues } from '../../src/sheets/cells.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'

it.each([
  [['Kale', 'Chard'], 'Kale; Chard'],
  [['Beans; dry', 'Peas'], '"Beans; dry"; Peas'],
  [['"Big" Kale'], '"""Big"" Kale"'],
  [['5" pipe', ' around '], '5" pipe; " around "'],
  [['', 'x'], '""; x'],
  [['a;b";"c', '"'], '"a;b"";""c"; """"'],
  [['two\nlines', 'x'], 'two\nlines; x'],
])('several values %j are %j in one cell, and read back equal', (values, cell) => {
  expect(joinedValues(values)).toBe(cell)
  expect(separateValues(cell)).toEqual(values)
})

it.each([
  ['Kale;Chard', ['Kale', 'Chard']],
  [' Kale ;  Chard ', ['Kale', 'Chard']],
  ['"Kale" ;Chard', ['Kale', 'Chard']],
  ['"Kale" and more; x', ['"Kale" and more', 'x']],
  ['Kale; ', ['Kale', '']],
])('what a person types as %j are the values %j', (cell, values) => {
  expect(separateValues(cell)).toEqual(values)
})

it.each([
  [{ name: 'Kale', isShared: false }, 'Kale'],
  [{ name: 'Kale', isShared: true }, 'Kale #17'],
  [{ name: '2025', isShared: false }, '2025'],
  [{ name: 'Kale #3', isShared: false }, 'Kale #3 #17'],
  [{ name: '#3', isShared: false }, '#3 #17'],
  [{ name: '0192f0c4-6a3e-7d21-9b1f-5a2c3d4e5f60', isShared: false }, '0192f0c4-6a3e-7d21-9b1f-5a2c3d4e5f60 #17'],
  [{ name: ' ', isShared: false }, '#17'],
  [undefined, '#17'],
])('a record called %j is %j in a cell', (known, cell) => {
  expect(namedInCell(17, known)).toBe(cell)
  if (/#17$/.test(cell)) expect(numberInName(cell)).toEqual({ id: 17, name: known?.name.trim() ?? '' })
})

it.each([
  ['Kale', undefined],
  ['Kale#17', undefined],
  ['# 17', undefined],
  ['Kale #', undefined],
  ['Kale #1234567890123456', undefined],
  ['Kale #17 b', undefined],
  [' Red  Kale \t #17 \n', { id: 17, name: 'Red  Kale' }],
  ['  #17', { id: 17, name: '' }],
  ['A #1 #2', { id: 2, name: 'A #1' }],
])('%j ends with %j', (cell, found) => {
  expect(numberInName(cell)).toEqual(found)
})

it('the number behind a name is looked for once, however much white space there is', async () => {
  const enough = 100
  for (const cell of [
    `a${' '.repeat(200_000)}b`,
    `${' '.repeat(200_000)}#`,
    `a${' '.repeat(200_000)}#1${' '.repeat(200_000)}b`,
  ])
    expect(await leastProcessorTime(() => numberInName(cell), { enough })).toBeLessThan(enough)
})
