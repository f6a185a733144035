import { expect, it } from 'vitest'
import { csvRow, guarded, unguarded } from '../../src/formats/csv/write-csv.ts'

const formulas = [
  ...['=1+1', '+49 151 23', '+4915123', '-5-3', '@SUM(A1)', '\tx', '\rx', "'=x", "''=x", "'-5", '-', '='],
  ...['\n=1+1', '\nx', "'\nx", '＝1+1', '＋49', '－5', '＠SUM(A1)', "'＝x"],
]

it.each(formulas)('a cell with %j has one mark in front, which reading takes off', (cell) => {
  expect(guarded(cell)).toBe(`'${cell}`)
  expect(unguarded(guarded(cell))).toBe(cell)
})

it.each(['-5', '-5.25', '-.5', '-0', '5', "'", "'n Abend", "''", 'a=b', '', "O'Hara"])(
  'a cell with %j stays as it is',
  (cell) => {
    expect(guarded(cell)).toBe(cell)
    expect(unguarded(cell)).toBe(cell)
  },
)

it('a row quotes what would end a cell early, and nothing else', () => {
  expect(csvRow(['a', 'b,c', 'd;e', 'say "x"', 'two\nlines', ' around '], ',')).toBe(
    'a,"b,c",d;e,"say ""x""","two\nlines"," around "\r\n',
  )
  expect(csvRow(['b,c', 'd;e'], ';')).toBe('b,c;"d;e"\r\n')
  expect(csvRow(['b,c', 'd;e', 'f\tg'], '\t')).toBe('b,c\td;e\t"f\tg"\r\n')
})

it('a row of one empty cell is still a row', () => {
  expect(csvRow([''], ',')).toBe('""\r\n')
})
