import { crc32 } from 'node:zlib'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook, by name; each writer has habits of its own. */
export type WorkbookParts = Readonly<Record<string, string>>

/** Parts as Excel saves them: shared strings, styles by number, a place on every cell. */
export function asExcel(
  rows: string,
  { strings = [], formats = [], before = '', behind = '' }: Partial<ExcelHabits> = {},
): WorkbookParts {
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`)
  const styles = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`)
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><workbook xmlns="${main}" xmlns:r="${relations}">${before}<sheets><sheet name="Tabelle1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings.map((text) => (text.startsWith('<') ? `<si>${text}</si>` : `<si><t>${text}</t></si>`)).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="9"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${behind}</worksheet>`,
  }
}

interface ExcelHabits {
  readonly strings: readonly string[]
  /** Codes of the styles from 4 on; 1 is a day, 2 a day with its time, 3 percent. */
  readonly formats: readonly string[]
  readonly before: string
  readonly behind: string
}

/** The same as programs with the Open XML SDK save it: prefixes, texts in their cells, paths from the root, no places. */
export const asOpenXmlSdk = (rows: string): WorkbookParts => ({
  '_rels/.rels': `<Relationships><Relationship Id="R1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<x:workbook xmlns:x="${main}" xmlns:rel="${relations}"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="Empty" sheetId="1" rel:id="a"/><x:sheet name="Hidden" state="hidden" sheetId="3" rel:id="c"/><x:sheet name="Data" sheetId="2" rel:id="b"/></x:sheets></x:workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Type="x/worksheet" Target="/xl/worksheets/a.xml"/><Relationship Id="b" Type="x/worksheet" Target="/xl/worksheets/b.xml"/><Relationship Id="c" Type="x/worksheet" Target="/xl/worksheets/c.xml"/><Relationship Id="s" Type="x/styles" Target="/xl/styles.xml"/></Relationships>`,
  'xl/styles.xml': `<x:styleSheet xmlns:x="${main}"><x:cellXfs><x:xf/><x:xf numFmtId="14"/></x:cellXfs></x:styleSheet>`,
  'xl/worksheets/a.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData/></x:worksheet>`,
  'xl/worksheets/b.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
  'xl/worksheets/c.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>hidden</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
})

/** An archive whose files are not packed, written without the code that is tested. */
export function archiveOf(parts: Readonly<Record<string, string | Buffer>>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(parts)) {
    const [named, data] = [Buffer.from(name), typeof text === 'string' ? Buffer.from(text) : text]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(named.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, named, data])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, place, named]))
    files.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...directory, end])
}

/** A workbook of several sheets with texts in their cells; numbers are numbers. */
export function asSheets(sheets: Readonly<Record<string, readonly (readonly string[])[]>>): WorkbookParts {
  const names = Object.keys(sheets)
  const cellOf = (text: string) =>
    /^\d+(?:\.\d+)?$/.test(text) ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const rowsOf = (rows: readonly (readonly string[])[]) =>
    rows.map((cells) => `<row>${cells.map(cellOf).join('')}</row>`).join('')
  return {
    ...asExcel(''),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, at) => `<Relationship Id="s${at}" Type="${relations}/worksheet" Target="worksheets/s${at}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/s${at}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rowsOf(sheets[name] ?? [])}</sheetData></worksheet>`,
      ]),
    ),
  }
}

/** A table as Excel saves it: shared strings, days as numbers with a style, a decimal comma as a number. */
export function asExcelTable(rows: readonly (readonly string[])[]): WorkbookParts {
  const strings: string[] = []
  const cellOf = (text: string) => {
    const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
    if (year !== undefined)
      return `<c s="1"><v>${Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000 + 25_569}</v></c>`
    if (/^\d+(?:,\d+)?$/.test(text)) return `<c><v>${text.replace(',', '.')}</v></c>`
    return text === '' ? '<c/>' : `<c t="s"><v>${strings.push(text) - 1}</v></c>`
  }
  const cells = rows.map((row) => `<row>${row.map(cellOf).join('')}</row>`).join('')
  return asExcel(cells, { strings })
}
