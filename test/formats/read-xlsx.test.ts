import { describe, expect, it } from 'vitest'
import { Workbook } from '../../src/formats/xlsx/read-xlsx.ts'
import type { WorksheetLimits } from '../../src/formats/xlsx/sheet-cells.ts'
import { xlsxOf } from '../../src/formats/xlsx/write-xlsx.ts'
import { zipOf } from '../../src/formats/zip/write-zip.ts'
import { limits } from '../../src/limits.ts'
import { archiveOf, asExcel, asOpenXmlSdk, type WorkbookParts } from '../harness/workbook.ts'

const rowsOf = async (parts: WorkbookParts, limit: WorksheetLimits = limits.sheet) => {
  const workbook = await Workbook.open(archiveOf(parts), limits.sheet.unpackedBytes)
  for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
    const rows = await workbook.rows(sheet, limit)
    if (rows.length > 0) return rows
  }
  return []
}
const cellsOf = async (parts: WorkbookParts) => (await rowsOf(parts)).map(({ cells }) => cells)

describe('a workbook', () => {
  it('shows the texts, numbers, days and marks that people see in it', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
      '<row r="3"><c r="A3" s="1"><v>45778</v></c><c r="B3" s="2"><v>45778.354166666664</v></c><c r="C3"><v>0.30000000000000004</v></c><c r="D3" s="3"><v>7.4999999999999997E-2</v></c><c r="E3" t="b"><v>1</v></c></row>' +
      '<row r="4"><c r="A4" s="4"><v>12.5</v></c><c r="B4" s="5"><v>45778</v></c><c r="C4"><v>276000123456789</v></c><c r="D4"><v>1.2345678901234567E+17</v></c><c r="E4" t="str"><f>A1&amp;"!"</f><v>_x0041_!</v></c></row>'
    const strings = ['Name &amp; Ort', '<r><t>rich</t></r><r><t xml:space="preserve"> text</t></r><rPh><t>no</t></rPh>']
    expect(await cellsOf(asExcel(rows, { strings, formats: ['0.00&quot; kg&quot;', 'dd\\.mm\\.yyyy'] }))).toEqual([
      ['Name & Ort', '', 'rich text'],
      ['2025-05-01', '2025-05-01T08:30', '0.3', '7.5 %', 'yes'],
      ['12.50 kg', '2025-05-01', '276000123456789', '1.23456789012346E+17', 'A!'],
    ])
  })

  it('is read whatever prefixes, places and paths its writer uses, and counts days from 1904 where it says so', async () => {
    const rows =
      '<x:row><x:c t="inlineStr"><x:is><x:t>Datum</x:t></x:is></x:c></x:row><x:row><x:c s="1"><x:v>44316</x:v></x:c></x:row>'
    const found = await rowsOf(asOpenXmlSdk(rows))
    expect(found.map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, 'Datum'],
      [2, '2025-05-01'],
    ])
  })

  it('says which cells are numbers, which rows add up or are hidden, and fills merged cells downwards', async () => {
    const rows =
      '<row r="1"><c r="A1" s="1"><v>45778</v></c><c r="B1"><v>1</v></c></row>' +
      '<row r="2" hidden="1"><c r="B2"><v>2</v></c></row>' +
      '<row r="3"><c r="B3"><f>SUM(B1:B2)</f><v>3</v></c></row>'
    const behind = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="A1:B1"/></mergeCells>'
    expect(await rowsOf(asExcel(rows, { behind }))).toEqual([
      { row: 1, cells: ['2025-05-01', '1'], numbers: new Set([1]) },
      { row: 2, cells: ['2025-05-01', '2'], numbers: new Set([1]), isHidden: true },
      { row: 3, cells: ['', '3'], numbers: new Set([1]), isSum: true },
    ])
  })

  it('shows a formula without a result, an error, and a number that is no day as such', async () => {
    const rows =
      '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1" t="e"><v>#REF!</v></c><c r="C1" s="1"><v>-5</v></c><c r="D1" s="1"><v>3000000</v></c></row>'
    expect(await cellsOf(asExcel(rows))).toEqual([['#FORMULA!', '#REF!', '#DATE!', '#DATE!']])
  })

  it('counts what it holds beside its cells', async () => {
    const parts = { ...asExcel(''), 'xl/vbaProject.bin': 'x', 'xl/media/image1.png': 'x', 'xl/media/image2.png': 'x' }
    expect((await Workbook.open(archiveOf(parts), limits.sheet.unpackedBytes)).leftOut).toEqual([
      { what: 'macros', count: 1 },
      { what: 'pictures', count: 2 },
    ])
  })
})

describe('a workbook is refused', () => {
  it.each<readonly [string, WorkbookParts, string]>([
    ['as OpenDocument', { 'content.xml': '<x/>' }, 'save it as Excel workbook'],
    ['as a binary workbook', { 'xl/workbook.bin': '' }, '.xlsb'],
    ['with a DOCTYPE', asExcel('', { before: '<!DOCTYPE a>' }), 'broken part'],
    ['that is broken', asExcel('<row>'), 'broken part "xl/worksheets/sheet1.xml"'],
    ['with a cell nowhere', asExcel('<row r="1"><c r="?"/></row>'), 'has a cell "?" in row 1'],
    ['that is nested without end', asExcel('<a>'.repeat(100)), 'levels deep'],
  ])('%s', async (_, parts, message) => {
    await expect(rowsOf(parts)).rejects.toThrow(message)
  })

  it.each([
    ['rows', { rows: 2 }, 'a sheet may have 2 rows'],
    ['columns', { columns: 1 }, 'a sheet may have 1 columns'],
    ['cells', { cells: 3 }, 'a sheet may have 3 cells'],
    ['characters of a cell', { cellLength: 2 }, 'may have 2 characters'],
  ])('with too many %s', async (_, limit, message) => {
    const row = '<row><c t="str"><v>abc</v></c><c><v>1</v></c></row>'
    await expect(rowsOf(asExcel(row.repeat(3)), { ...limits.sheet, ...limit })).rejects.toThrow(
      new RegExp(message, 'i'),
    )
  })

  it('before a bomb is unpacked', async () => {
    const files = Object.entries(asExcel('')).map(([name, text]) => ({
      name,
      pieces: [text] as Iterable<string | Buffer>,
    }))
    const bomb = files.map((file) =>
      file.name.includes('sheet1') ? { ...file, pieces: [Buffer.alloc(4_194_304, 32)] } : file,
    )
    const pieces: Buffer[] = []
    for await (const piece of zipOf(bomb)) pieces.push(piece)
    const workbook = await Workbook.open(Buffer.concat(pieces), 1_048_576)
    const [sheet] = workbook.sheets
    await expect(workbook.rows(sheet as never, limits.sheet)).rejects.toThrow('when it is unpacked')
  })
})

it('a workbook that is written reads as what went into it', async () => {
  const pieces: Buffer[] = []
  const columns = ['a', 'b', 'c'].map((header) => ({ header, holds: 'anything' as const, width: 10 }))
  const rows = [
    [' <a> & "b" _x0041_\r\n', { number: '12.50' }, { time: '2025-05-01T08:30:15' }],
    ['=1+1', { number: '-7' }, { time: '2025-05-01' }],
    ['', 'x', { time: '1850-01-01T00:00:00' }],
  ]
  for await (const piece of xlsxOf([{ name: 'One & two', columns, rows }])) pieces.push(piece)
  const workbook = await Workbook.open(Buffer.concat(pieces), limits.sheet.unpackedBytes)
  const [sheet] = workbook.sheets
  expect(sheet?.name).toBe('One & two')
  expect((await workbook.rows(sheet as never, limits.sheet)).map(({ cells }) => cells)).toEqual([
    ['a', 'b', 'c'],
    [' <a> & "b" _x0041_\r\n', '12.50', '2025-05-01T08:30:15'],
    ["'=1+1", '-7', '2025-05-01'],
    ['', 'x', '1850-01-01T00:00:00'],
  ])
})
