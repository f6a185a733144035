import de from './sheets/de.json' with { type: 'json' }
import en from './sheets/en.json' with { type: 'json' }
import es from './sheets/es.json' with { type: 'json' }

/** What a column of a sheet can be about, whatever field a type of record has for it. */
export type ColumnSubject = keyof typeof en.headers

export const isSubject = (word: string): word is ColumnSubject => Object.hasOwn(en.headers, word)

/** What the cells of some columns say. */
export type CellMeaning = keyof typeof en.values

/** The words that people write in sheets of their own, in one language. */
interface SheetWords {
  readonly headers: Readonly<Record<ColumnSubject, readonly string[]>>
  readonly values: Readonly<Record<CellMeaning, readonly string[]>>
  /** What stands in front of sums. */
  readonly totals: readonly string[]
  readonly months: readonly string[]
  /** Crops that grow for several years. */
  readonly perennials: readonly string[]
  /** What people call the types of logs: alone, in a longer text, or at the end of a word. */
  readonly logTypes: Readonly<Record<string, readonly string[]>>
  /** What people call the types of areas. */
  readonly areaTypes: Readonly<Record<string, readonly string[]>>
  /** Faults of rows by their English words, in which `{a}` stands for what they are about. */
  readonly faults: Readonly<Record<string, string>>
}

/** By language. Another one is its file in `sheets/`, and its line here. */
export const sheetWords: Readonly<Record<string, SheetWords>> = { en, de, es }

const plainWords = new Map<string, string>()
const mostPlainWords = 20_000

/** A word without what people write in different ways: accents, large letters, signs. Cells repeat, so it is kept. */
export function plainWord(text: string): string {
  const known = plainWords.get(text)
  if (known !== undefined) return known
  if (plainWords.size >= mostPlainWords) plainWords.clear()
  const plain = plainOf(text)
  if (text.length <= 100) plainWords.set(text, plain)
  return plain
}

const plainOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}✓✔]+/gu, ' ')
    .trim()

/** A subject of a header, and how many words of the table come before that header. */
interface RankedSubject {
  readonly subject: ColumnSubject
  readonly rank: number
}

const subjectsOf = (language: string): ReadonlyMap<string, readonly RankedSubject[]> => {
  const subjects = new Map<string, RankedSubject[]>()
  for (const [subject, words] of Object.entries(sheetWords[language]?.headers ?? {}))
    for (const [rank, word] of words.map(plainWord).entries())
      subjects.set(word, [...(subjects.get(word) ?? []), { subject: subject as ColumnSubject, rank }])
  return subjects
}

const subjectsByLanguage = new Map(Object.keys(sheetWords).map((language) => [language, subjectsOf(language)]))

/** What a header may be about, in the order of the table, in which languages it says so, and those of the sheet first. */
export function subjectsOfHeader(
  header: string,
  languages: readonly string[] = [],
): readonly (RankedSubject & { readonly language: string })[] {
  const word = plainWord(header)
  if (word === '') return []
  return [...subjectsByLanguage]
    .toSorted(([one], [other]) => Number(languages.includes(other)) - Number(languages.includes(one)))
    .flatMap(([language, subjects]) => (subjects.get(word) ?? []).map((one) => ({ ...one, language })))
}

/** The languages in which most of these headers are known: single letters in cells are read by them. */
export function languagesOfHeaders(headers: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const language of headers.flatMap((header) => [...new Set(subjectsOfHeader(header).map((one) => one.language))]))
    counts.set(language, (counts.get(language) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  return most === 0 ? Object.keys(sheetWords) : [...counts].filter(([, count]) => count === most).map(([one]) => one)
}

/** What the word of a cell means; single letters only in the languages of the sheet. */
export function meaningOf(
  cell: string,
  among: readonly CellMeaning[],
  languages: readonly string[],
): CellMeaning | undefined {
  const word = plainWord(cell)
  if (word === '') return undefined
  const known = word.length > 1 || /[✓✔x]/.test(word) ? Object.keys(sheetWords) : languages
  const meant = known.flatMap((language) =>
    among.filter((one) => sheetWords[language]?.values[one].some((value) => plainWord(value) === word)),
  )
  return new Set(meant).size === 1 ? meant[0] : undefined
}

/** Whether a cell says that its row is a sum: `Summe`, `Total 2025`, `Summe Mai`. */
export function saysTotal(cell: string): boolean {
  if (cell === '' || cell.length > 60) return false
  const word = plainWord(cell)
  if (totalWords.has(word)) return true
  // `Wochensumme`
  if (/^\p{L}+$/u.test(word) && [...totalWords].some((total) => total.length > 4 && word.endsWith(total))) return true
  const end = word.lastIndexOf(' ')
  const rest = word.slice(end + 1)
  return end > 0 && totalWords.has(word.slice(0, end)) && (/^\d{4}$/.test(rest) || monthWords.has(rest))
}

const totalWords = new Set(Object.values(sheetWords).flatMap(({ totals }) => totals.map(plainOf)))
const monthWords = new Set(Object.values(sheetWords).flatMap(({ months }) => months.map(plainOf)))
const perennialWords = new Set(Object.values(sheetWords).flatMap(({ perennials }) => perennials.map(plainOf)))

/** The number of a month by its name or the beginning of its name. */
export function monthOf(text: string): number | undefined {
  const word = plainWord(text)
  if (word.length < 3) return undefined
  if (word === 'mrz') return 3
  for (const { months } of Object.values(sheetWords)) {
    const index = months.findIndex(
      (month) => plainWord(month) === word || (word.length <= 4 && plainWord(month).startsWith(word)),
    )
    if (index >= 0) return index + 1
  }
  return undefined
}

const weekdays = new Set(
  Object.keys(sheetWords).flatMap((language) =>
    (['long', 'short'] as const).flatMap((weekday) =>
      Array.from({ length: 7 }, (_, day) => {
        const name = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(day * 86_400_000)
        return plainWord(name)
      }),
    ),
  ),
)

/** Whether a text is the name of a weekday: *Monday*, *Mo*, *lun.* */
export const isWeekday = (text: string): boolean => weekdays.has(plainWord(text))

/** Whether a crop is known to grow for several years. */
export function isPerennial(crop: string): boolean {
  return plainWord(crop)
    .split(' ')
    .some((word) => perennialWords.has(word))
}

type FaultPattern = readonly [pattern: RegExp, holes: readonly string[], text: string]

const faultPatterns = new Map<string, readonly FaultPattern[]>()

function patternsOf(language: string): readonly FaultPattern[] {
  const known = faultPatterns.get(language)
  if (known !== undefined) return known
  const made = Object.entries(sheetWords[language]?.faults ?? {}).map(([english, text]): FaultPattern => {
    const pattern = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w\}/g, '(.+?)')
    return [new RegExp(`^${pattern}$`, 's'), [...english.matchAll(/\{(\w)\}/g)].map(([, hole = '']) => hole), text]
  })
  faultPatterns.set(language, made)
  return made
}

/** A fault in the words of a language; one that nobody has translated stays English. */
export function faultIn(language: string, message: string): string {
  for (const [pattern, holes, text] of patternsOf(language)) {
    const found = pattern.exec(message)
    if (found !== null) return text.replace(/\{(\w)\}/g, (_, hole: string) => found[holes.indexOf(hole) + 1] ?? '')
  }
  return message
}

/** The type of area that a word of people means. */
export function areaTypeMeant(text: string): string | undefined {
  const word = plainWord(text)
  const types = Object.values(sheetWords).flatMap(({ areaTypes }) => Object.entries(areaTypes))
  return types.find(([, words]) => words.some((one) => plainWord(one) === word))?.[0]
}

const logTypeWords: readonly (readonly [word: string, type: string])[] = Object.values(sheetWords)
  .flatMap(({ logTypes }) => Object.entries(logTypes))
  .flatMap(([type, words]) => words.map((word) => [plainOf(word), type] as const))

/** The type of log that a cell names: `Ernte`, `2. Gabe Düngung`, `Kartoffelernte`. Of several the first in the text. */
export function logTypeMeant(text: string): string | undefined {
  const plain = ` ${plainWord(text)} `
  const found = logTypeWords.flatMap(([word, type]) => {
    const at = plain.search(new RegExp(`${word.length < 5 ? ' ' : ''}${word} `))
    return at < 0 ? [] : [{ type, begin: plain.lastIndexOf(' ', at), length: word.length }]
  })
  return found.toSorted((one, other) => one.begin - other.begin || other.length - one.length)[0]?.type
}
