import type { RecordType } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { Records } from '../../records/records.ts'
import { logTypeMeant, subjectsOfHeader } from '../../words/sheet-words.ts'
import { type HeaderTarget, keptInNotes, meantByHeader, targetOfSubject } from './column-subjects.ts'
import { guessByContent, isDataRow, rowsOfContent, subjectsTaken } from './content-guesses.ts'
import { type ColumnGuess, columnNumbered, columnsOfHeaders } from './headers.ts'
import type { SheetOptions } from './import-options.ts'
import { rowsOf, type SheetSource } from './sheet-source.ts'

type Targets = ReadonlyMap<string, HeaderTarget>

/** What headers stand for by the words that people use. */
export const guessFor =
  (type: RecordType['name'], targets: Targets, languages: readonly string[] = []) =>
  (header: string): ColumnGuess | undefined => {
    const meant = meantByHeader(header, { type, targets, languages })
    return meant && { ...meant, because: 'synonym' }
  }

/** A column that people keep and no field takes. */
export function byNotes(header: string): ColumnGuess | undefined {
  const target = keptInNotes(header)
  return target && { targets: [target], rank: 0, because: 'synonym' }
}

/** The column whose cells say what each log is: *Maßnahme* with Aussaat, Düngung, Ernte. A given type is not guessed. */
export async function guessOfKinds(
  type: RecordType,
  given: string | undefined,
  { source, head, targets, options }: Pick<ColumnsToGuess, 'source' | 'head' | 'targets' | 'options'>,
): Promise<(header: string, at: number) => ColumnGuess | undefined> {
  const target = targets.get(type.bundleName)
  const isSaid = options.bundle !== undefined && options.kinds !== '1'
  if (type.name !== 'log' || target === undefined || isSaid) return () => undefined
  const kinds = head.cells.map(() => ({ filled: 0, known: 0, others: 0 }))
  const mayBe = head.cells.map((header) =>
    subjectsOfHeader(header).some(({ subject }) => subject === 'name' || subject === 'kind'),
  )
  let rows = 0
  for await (const { row, cells } of rowsOf(source)) {
    if (row <= head.row) continue
    if (++rows > rowsOfContent) break
    for (const [at, count] of kinds.entries()) {
      const cell = (cells[at] ?? '').trim()
      const kind = mayBe[at] === true && cell !== '' ? logTypeMeant(cell) : undefined
      if (cell !== '') count.filled += 1
      if (kind !== undefined) count.known += 1
      if (kind !== undefined && kind !== given) count.others += 1
    }
  }
  const calledSo = new Set([target.name, ...target.labels, ...target.translated].map(trimmedTextKey))
  const own = head.cells.findIndex((header) => calledSo.has(trimmedTextKey(header)))
  const guessed = kinds.findIndex(({ filled, known, others }) => others > 0 && known * 2 >= filled)
  const isExport = head.cells.some((header) => ['uuid', 'version'].includes(trimmedTextKey(header)))
  const found = isExport || (own >= 0 && own !== guessed) ? -1 : guessed
  return (_, at) => (at === found ? { targets: [target], rank: 0, because: 'content' } : undefined)
}

interface ColumnsToGuess {
  readonly type: RecordType
  readonly used: readonly string[]
  readonly source: SheetSource
  readonly head: CsvRow
  readonly targets: Targets
  readonly options: SheetOptions
  readonly byWords: (header: string, at: number) => ColumnGuess | undefined
}

/** Columns that no header explains, by their cells. */
export async function contentGuesses(
  { database }: Pick<Records, 'database'>,
  { type, used, source, head, targets, options, byWords }: ColumnsToGuess,
) {
  const rest = { map: options.map, others: undefined }
  const known = columnsOfHeaders(head, { targets, options: rest, guess: byWords }, [])
  const unknown = new Map(
    head.cells.flatMap((header, at) => {
      const isSaid = options.map.has(trimmedTextKey(header || columnNumbered(at)))
      return isSaid || known.some((column) => column.at === at) ? [] : [[at, header] as const]
    }),
  )
  if (unknown.size === 0) return () => undefined
  const rows: CsvRow[] = []
  for await (const row of rowsOf(source)) if (row.row > head.row && rows.push(row) === rowsOfContent) break
  const taken = new Set(
    known.flatMap(({ name, topic, member }) => subjectsTaken(topic?.subject ?? member?.name ?? name)),
  )
  const areOfCrops = used.some((bundle) => type.bundles[bundle]?.report === 'harvest')
  const subjects = await database.read((snapshot) =>
    guessByContent(snapshot, { type: type.name, areOfCrops, rows, unknown, taken }),
  )
  return (at: number): ColumnGuess | undefined => {
    const subject = subjects.get(at)
    const target = subject && targetOfSubject(subject, { type: type.name, targets })
    return target && { targets: [target], rank: 0, because: 'content' }
  }
}

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
