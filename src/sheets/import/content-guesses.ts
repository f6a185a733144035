import { areaBundle, cropBundle } from '../../farm/bundle-names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import { dayWrittenIn } from '../../formats/csv/dates.ts'
import { amountIn, numberBy } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { measureOfUnit } from '../../reports/units.ts'
import type { Snapshot } from '../../storage/database.ts'
import { recordsCalled } from '../../storage/records/record-lookup.ts'
import type { ColumnSubject } from '../../words/sheet-words.ts'

interface ColumnsToGuess {
  readonly type: RecordTypeName
  /** Whether rows are about plantings: harvests, seedings. */
  readonly areOfCrops: boolean
  readonly rows: readonly CsvRow[]
  /** Columns that no header explains; those without any header may hold crops that the farm does not know yet. */
  readonly unknown: ReadonlyMap<number, string>
  /** What the other columns are about. */
  readonly taken: ReadonlySet<string>
}

/** Rows whose cells are looked at. */
export const rowsOfContent = 200

/** What columns are about by their cells: days, amounts, units, ear tags, names that the farm knows. */
export async function guessByContent(
  snapshot: Snapshot,
  { type, areOfCrops, rows, unknown, taken }: ColumnsToGuess,
): Promise<ReadonlyMap<number, ColumnSubject>> {
  const guesses = new Map<number, ColumnSubject>()
  const free = (subject: ColumnSubject) => !taken.has(subject) && ![...guesses.values()].includes(subject)
  const columns = [...unknown].map(([at, header]) => ({ at, header, texts: textsOf(rows, at) }))
  const filled = columns.filter(({ texts }) => texts.length > 0)
  const take = (subject: ColumnSubject, fits: (text: string) => boolean) => {
    const found = filled.find(({ at, texts }) => !guesses.has(at) && areMostly(texts, fits))
    if (found !== undefined && free(subject)) guesses.set(found.at, subject)
  }
  take('tag', isEarTag)
  if (type !== 'log') return guesses
  take('timestamp', isDay)
  take('unit', (text) => numberOf(text) === undefined && measureOfUnit(text) !== undefined)
  take('amount', (text) => amountIn(text) !== undefined && measureOfUnit(amountIn(text)?.unit ?? '') !== undefined)
  const numbers = filled.filter(({ at, texts }) => !guesses.has(at) && areMostly(texts, isNumber))
  const hasUnit = !free('unit')
  const [number] = numbers
  if (number !== undefined && free('amount') && (hasUnit || numbers.length === 1)) guesses.set(number.at, 'amount')
  for (const { at, header, texts } of filled) {
    if (guesses.has(at) || areMostly(texts, isNumber) || texts.some((text) => text.length > 60)) continue
    const subject = await subjectOfNames(snapshot, texts)
    if (subject !== undefined && free(subject)) guesses.set(at, subject)
    else if (header.trim() === '' && areOfCrops && free('crop') && areMostly(texts, isWord)) guesses.set(at, 'crop')
  }
  return guesses
}

const textsOf = (rows: readonly CsvRow[], at: number): readonly string[] =>
  rows.flatMap(({ cells }) => (cells[at] ?? '').trim() || [])

/** Four of five, so that one slip hides nothing. */
const areMostly = (texts: readonly string[], fits: (text: string) => boolean): boolean =>
  texts.length > 0 && texts.filter(fits).length * 5 >= texts.length * 4

const isDay = (text: string): boolean =>
  dayWrittenIn(text) !== undefined || /^\d{1,2}\s*([./-])\s*\d{1,2}\s*\1?$/.test(text)
const numberOf = (text: string): string | undefined => numberBy('.', text) ?? numberBy(',', text)
const isNumber = (text: string): boolean => numberOf(text) !== undefined
const isEarTag = (text: string): boolean => /^(?:[A-Z]{2}[\s-]?\d{8,14}|[A-Z]{2}(?:\s\d{2,5}){3,4}|9\d{14})$/.test(text)
const isWord = (text: string): boolean => /^\p{L}[\p{L}\p{N}\s'’()/.,-]{1,40}$/u.test(text)

/** Areas, crops or assets, if the farm knows half of the names. */
async function subjectOfNames(snapshot: Snapshot, texts: readonly string[]): Promise<ColumnSubject | undefined> {
  const keys = [...new Set(texts.map(trimmedTextKey))]
  const terms = await recordsCalled(snapshot, 'term', keys)
  const countOf = (bundle: string) =>
    [...terms.values()].filter((some) => some.some((one) => one.bundle === bundle)).length
  if (countOf(areaBundle) * 2 >= keys.length) return 'place'
  if (countOf(cropBundle) * 2 >= keys.length) return 'crop'
  const assets = await recordsCalled(snapshot, 'asset', keys)
  return assets.size * 2 >= keys.length ? 'tag' : undefined
}

/** A first row of data: there are no headers, because a day or an amount stands in it. */
export const isDataRow = ({ cells }: Pick<CsvRow, 'cells'>): boolean => {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '')
  return texts.length >= 2 && texts.filter(isDay).length === 1
}

/** Whether most of these names are areas of the farm. */
export async function areMostlyAreas(snapshot: Snapshot, names: readonly string[]): Promise<boolean> {
  const found = await recordsCalled(snapshot, 'term', names.map(trimmedTextKey))
  const areas = [...found.values()].filter((terms) => terms.some(({ bundle }) => bundle === areaBundle))
  return areas.length * 2 > names.length
}

/** The subjects of which a column leaves no room for another. */
export function subjectsTaken(name: string): readonly string[] {
  if (name === 'value' || name === 'quantity') return ['amount']
  if (name === 'area') return ['place']
  return name === 'asset' ? ['tag', 'crop'] : [name]
}
