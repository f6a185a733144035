import { describe, expect, it } from 'vitest'
import { CsvFault, CsvReader, decoded, encodingOf } from '../../src/formats/csv/read-csv.ts'
import { csvRow, separatorOf } from '../../src/formats/csv/write-csv.ts'

const limits = { columns: 10, rows: 5, cellLength: 40 }

function rowsOf(text: string, size = text.length || 1) {
  const reader = new CsvReader(',', limits)
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, nth) =>
    text.slice(nth * size, (nth + 1) * size),
  )
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

function faultOf(text: string): CsvFault {
  try {
    rowsOf(text)
  } catch (error) {
    if (error instanceof CsvFault) return error
  }
  throw new Error(`${JSON.stringify(text)} was read`)
}

const sheets: readonly (readonly [string, string[][]])[] = [
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,\n,b',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a,', [['a', '']]],
  ['"a,b","say ""x""","two\r\nlines"', [['a,b', 'say "x"', 'two\r\nlines']]],
  ['"",x', [['', 'x']]],
  ['""""', [['"']]],
  [' a , b ', [[' a ', ' b ']]],
  ['', []],
]

describe.each([1, 2, 3, 1000])('a sheet that comes in pieces of %i', (size) => {
  it.each(sheets)('%j is read', (text, cells) => {
    expect(rowsOf(text, size).map((row) => row.cells)).toEqual(cells)
  })
})

it('rows are counted as a spreadsheet counts them, and those in which nothing stands are left out', () => {
  expect(rowsOf('a\n\n,,\n"two\nlines"\nb').map(({ row, cells }) => [row, cells[0]])).toEqual([
    [1, 'a'],
    [4, 'two\nlines'],
    [5, 'b'],
  ])
})

it.each([
  ['a\nb,"c', 2, 2, 'never closed'],
  ['a\nb,c"d', 2, 2, 'double those inside'],
  ['"a"b', 1, 1, 'behind the closing quote'],
  ['"a" ,b', 1, 1, 'behind the closing quote'],
  [`a,${'x'.repeat(41)}`, 1, 2, '40 characters'],
  [`a,"${'x'.repeat(41)}"`, 1, 2, '40 characters'],
  [','.repeat(10), 1, 11, '10 columns'],
  ['a\n'.repeat(6), 6, 2, '5 rows'],
])('%j is a fault in row %i, column %i', (text, row, column, words) => {
  expect(faultOf(text)).toMatchObject({ row, column, message: expect.stringContaining(words) })
})

it('whatever is written as a row is read back equal', () => {
  const letters = ['a', '"', ',', ';', '\n', '\r', ' ', "'", '\t', 'é']
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  for (let nth = 0; nth < 2000; nth += 1) {
    const cells = Array.from({ length: 1 + next(4) }, () =>
      Array.from({ length: next(6) }, () => letters[next(letters.length)]).join(''),
    )
    // What a mark was put in front of is another matter.
    if (cells.some((cell) => /^'*[=+\-@\t\r\n]/.test(cell)) || cells.every((cell) => cell === '')) continue
    expect(rowsOf(csvRow(cells, ','), 1 + next(5)).map((row) => row.cells)).toEqual([cells])
  }
})

it.each([
  ['name;type\r\na;b', ';'],
  ['name,type\na,b', ','],
  ['name\ttype\r', '\t'],
  ['name', ','],
  ['"a,b,c";x', ';'],
  ['a;b,c\nd;e f\ng;h', ';'],
  ['a;b,c', undefined],
  ['Weight, kg;Name;Type\n1;2;3', ';'],
])('the separator of %j is %j', (text, separator) => {
  expect(separatorOf(text)).toBe(separator)
})

it('UTF-8 is known with and without its mark, UTF-16 by its mark, and anything else is Windows-1252', async () => {
  const bytewise = async function* (bytes: Buffer) {
    for (const one of bytes) yield Buffer.from([one])
  }
  const read = async (bytes: Buffer) => {
    const encoding = await encodingOf(bytewise(bytes))
    let text = ''
    for await (const piece of decoded(bytewise(bytes), encoding)) text += piece
    return [encoding, text]
  }
  expect(await read(Buffer.from('Möhre'))).toEqual(['utf-8', 'Möhre'])
  expect(await read(Buffer.from('\uFEFFMöhre'))).toEqual(['utf-8', 'Möhre'])
  expect(await read(Buffer.from([0x4d, 0xf6, 0x68, 0x72, 0x65, 0x80]))).toEqual(['windows-1252', 'Möhre€'])
  await expect(read(Buffer.from([0xef, 0xbb, 0xbf, 0xf6]))).rejects.toThrow('and is not')
  expect(await read(Buffer.from('\uFEFFMöhre', 'utf16le'))).toEqual(['utf-16le', 'Möhre'])
  expect(await read(Buffer.from('\uFEFFMöhre', 'utf16le').swap16())).toEqual(['utf-16be', 'Möhre'])
  await expect(read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))).rejects.toThrow('save it as Excel workbook (.xlsx)')
  await expect(read(Buffer.from('PK\x03\x04[Content_Types].xml'))).rejects.toThrow('send .xlsx as an Excel workbook')
})

it.each([',', ';', '\t'] as const)(
  'a first row that tells spreadsheets of %j is heeded, and counted as they do',
  (sign) => {
    const sheet = `sep=${sign}\r\nname${sign}notes, dry; long\r\nsep=${sign}\r\n`
    expect(separatorOf(sheet)).toBe(sign)
    const rows = new CsvReader(sign, limits).push(sheet)
    expect(rows.map(({ row }) => row)).toEqual([1, 2])
    expect(rows[0]?.cells[0]).toBe('name')
  },
)
