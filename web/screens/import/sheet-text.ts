type SeparatorName = 'comma' | 'semicolon' | 'tab'

const separators: Readonly<Record<SeparatorName, string>> = { comma: ',', semicolon: ';', tab: '\t' }

interface SheetCell {
  readonly text: string
  /** Offset in the sheet, including quotes. */
  readonly start: number
  readonly end: number
}

export interface SheetRow {
  /** Row number as in spreadsheets and on the server. */
  readonly row: number
  readonly cells: readonly SheetCell[]
}

/** Rows with content, numbered as on the server: a first row `sep=;` is skipped. */
export function* rowsIn(text: string, separator: SeparatorName): Generator<SheetRow> {
  const between = separators[separator]
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${between}\r\n]*))(${between}|\r\n?|\n|$)`, 'y')
  let [row, cells] = [1, [] as SheetCell[]]
  for (let end = ''; cell.lastIndex < text.length || end === between; ) {
    const start = cell.lastIndex
    const found = cell.exec(text)
    // Text after a closing quote: the server reports its place.
    if (found === null) return
    end = found[3] ?? ''
    cells.push({ text: found[1]?.replaceAll('""', '"') ?? found[2] ?? '', start, end: cell.lastIndex - end.length })
    if (end === between) continue
    const isAside = row === 1 && cells[0]?.start === 0 && /^sep=.$/i.test(text.slice(0, cells.at(-1)?.end))
    if (!isAside && cells.some((one) => one.text !== '')) yield { row, cells }
    if (!isAside) row++
    cells = []
  }
}

/** The wanted rows. Yields to the page in between, however long the sheet is. */
export async function rowsOf(
  text: string,
  separator: SeparatorName,
  wanted: (row: number) => 'yes' | 'no' | 'no-more',
): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = []
  for (const row of rowsIn(text, separator)) {
    const is = wanted(row.row)
    if (is === 'no-more') break
    if (is === 'yes') rows.push(row)
    if (row.row % 2_000 === 0) await new Promise((resolve) => setTimeout(resolve))
  }
  return rows
}

/** Sheet with a replaced cell. */
export function withCell(sheet: string, { start, end }: Omit<SheetCell, 'text'>, text: string): string {
  const spelled = /^\s|["\t\r\n,;]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return sheet.slice(0, start) + spelled + sheet.slice(end)
}
