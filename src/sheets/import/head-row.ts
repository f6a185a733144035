import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { isDataRow } from './content-guesses.ts'
import { rowsOf, type SheetSource } from './sheet-source.ts'

/** Rows that are looked at for the headers. */
export const rowsLookedAt = 30

/**
 * The row of the headers: the first of which at least two cells, and half of all, are known; else the first that has one
 * known cell among distinct texts, and data of another kind below; else the first row. Rows above it are the title.
 */
async function findHeadRow(source: SheetSource, isKnown: (header: string) => boolean): Promise<HeadPlace> {
  let [first, before, likely]: (CsvRow | undefined)[] = []
  let looked = 0
  for await (const one of rowsOf(source)) {
    const { row, cells } = one
    first ??= one
    const headers = cells.filter((cell) => cell.trim() !== '')
    const known = headers.filter(isKnown).length
    const isAlone = headers.length === 1 && !/\s\S+\s/.test(headers[0] ?? '')
    if (known > 0 && (known >= 2 || isAlone) && known * 2 >= headers.length)
      return { headRow: row, first, isFound: true }
    if (likely === undefined && before?.cells.some(isKnown) && areTexts(before) && !areTexts(one)) likely = before
    before = one
    if (++looked === rowsLookedAt) break
  }
  return { headRow: (likely ?? first)?.row ?? 1, first, isFound: likely !== undefined }
}

/** Three texts or more, none of them twice, and none a number or a day. */
function areTexts({ cells }: CsvRow): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return (
    texts.length >= 3 && new Set(texts).size === texts.length && !texts.some((text) => /^[\d.,:/'’ -]+$/.test(text))
  )
}

interface HeadPlace {
  readonly headRow: number
  readonly first: CsvRow | undefined
  readonly isFound: boolean
}

interface HeadedSource {
  readonly source: SheetSource
  readonly headRow: number
}

/** The row of the headers. A book whose first row has a day in it has none: an empty row is put above. */
export async function withHead(
  source: SheetSource,
  said: number | undefined,
  isKnown: (header: string) => boolean,
): Promise<HeadedSource> {
  const { headRow, first, isFound } =
    said === undefined ? await findHeadRow(source, isKnown) : { headRow: said, first: undefined, isFound: true }
  if (isFound || first === undefined || !isDataRow(first)) return { source, headRow }
  const empty: CsvRow = { row: 0, cells: first.cells.map(() => '') }
  const headed: SheetSource = {
    ...source,
    async *slices() {
      yield [empty]
      yield* source.slices()
    },
  }
  return { source: headed, headRow: 0 }
}
