import { activityBundle } from '../../farm/bundle-names.ts'
import type { Farm, RecordType, Vocabulary } from '../../farm/farm.ts'
import { olderFarm, type PresentBundles } from '../../farm/fields-of.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import { isoTime } from '../../fields/time.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import { presentBundles } from '../../storage/records/record-lookup.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { vocabularyIn } from '../../wire-1x/record-draft.ts'
import { isSubject, languagesOfHeaders, logTypeMeant } from '../../words/sheet-words.ts'
import { labelsOf, labelsOfAll } from '../../words/words-of.ts'
import type { ShapeNote } from './book-grids.ts'
import { byNotes, contentGuesses, guessFor, guessOfKinds, withHead } from './column-guesses.ts'
import { type HeaderTarget, targetOfSubject } from './column-subjects.ts'
import { areMostlyAreas } from './content-guesses.ts'
import { columnNumbered, columnsOfHeaders, headerTargets, type InputColumn, repeatedParts } from './headers.ts'
import type { MatchKey, SheetOptions } from './import-options.ts'
import { columnOfMatch } from './match-rows.ts'
import type { RowFault } from './read-cell.ts'
import { keepMapping, mappingsFor, type RecalledSheet, recalled } from './remembered-mapping.ts'
import { ColumnForms, cellIn, columnFor, planIn, type SheetInput } from './sheet-input.ts'
import { shapedSheet, tableOfBook } from './sheet-shape.ts'
import { rowsOf, type SheetSource, withCells, withValues } from './sheet-source.ts'

export interface OpenedSheet {
  readonly sheet: SheetInput
  readonly bundles: KnownBundles
  /** Bundles that have records. */
  readonly present: PresentBundles
  readonly source: SheetSource
  /** Faults of the head. */
  readonly faults: readonly RowFault[]
  /** What was done to its rows before they were read. */
  readonly notes: readonly ShapeNote[]
  readonly headers: readonly string[]
  /** Present if the farm knows sheets with these headers. */
  readonly remembered: RecalledSheet | undefined
}

/** Keeps what was said about the columns of a sheet for the next one. */
export const rememberSheet = (tx: Transaction, { sheet, headers }: OpenedSheet): Promise<void> =>
  keepMapping(tx, { type: sheet.type.name, bundle: sheet.options.bundle ?? '', headers, options: sheet.options })

interface SheetToOpen {
  readonly type: RecordType['name']
  readonly options: SheetOptions
  readonly source: SheetSource
}

/** Reads the head of a sheet: the fields of its columns, and the column that identifies records. */
export async function openSheet(
  installation: Records,
  { type: name, options: asked, source: given }: SheetToOpen,
): Promise<OpenedSheet> {
  const { farm, database, vocabularies } = installation
  const { present, zone, language } = await database.read(async (snapshot) => {
    const { timezone, language } = await readFarmSettings(snapshot)
    return { present: await presentBundles(snapshot), zone: timezone, language }
  })
  const bundles = bundlesKnown(farm, name, { present, vocabularies })
  const [{ type }, languages] = [bundles, await labelsOfAll()]
  const mappings =
    asked.recall === '1'
      ? await database.read((snapshot) => mappingsFor(snapshot, { type: name, bundle: asked.bundle ?? '' }))
      : []
  const others = headerTargets(type, Object.keys(type.bundles), languages)
  const anyGuess = (header: string) => guessFor(name, others)(header) ?? byNotes(header)
  const isKnown = (header: string) =>
    mappings.some((one) => one.headers.includes(trimmedTextKey(header))) ||
    columnsOfHeaders(
      { row: 1, cells: [header] },
      // With `others` every text would be known, and by its unit the crop of a grid: `Tomato (kg)`.
      { targets: others, options: { ...asked, others: undefined }, guess: anyGuess },
      [],
    ).some(({ topic }) => topic?.label === undefined)
  const areAreas = (names: readonly string[]) => database.read((snapshot) => areMostlyAreas(snapshot, names))
  const areHarvests = type.bundles[bundleCalled(bundles, asked.bundle ?? '') ?? '']?.report === 'harvest'
  const table =
    name === 'log'
      ? await tableOfBook(given, { year: asked.year, isKnown, areHarvests, areAreas })
      : { source: given, notes: given.notes ?? [] }
  const { source: asSent, headRow } = await withHead(withCells(table.source, asked.cells), asked.headRow, isKnown)
  const { head, title } = await headOf(asSent, headRow)
  const { options, remembered } =
    mappings.length === 0 ? { options: asked, remembered: undefined } : recalled(asked, mappings, head.cells)
  const typeSaid = bundleCalled(bundles, options.bundle ?? '')
  const kinds = await guessOfKinds(type, typeSaid, { source: asSent, head, targets: others, options })
  const used = await bundlesUsed(bundles, { head, options, source: asSent, targets: others, kinds })
  const targets = used.length === 0 ? others : headerTargets(type, used, languages)
  const repeated = repeatedParts(targets)
  if (options.rows !== undefined && !repeated.includes(options.rows))
    throw badQuery('rows', 'must be the name of a part that records have several of', repeated)
  const languagesOfHead = languagesOfHeaders(head.cells)
  const bySynonyms = guessFor(name, targets, languagesOfHead)
  const byWords = (header: string, at: number) => kinds(header, at) ?? bySynonyms(header)
  const byCells = await contentGuesses(installation, { type, used, source: asSent, head, targets, options, byWords })
  const guess = (header: string, at: number) => byWords(header, at) ?? byCells(at) ?? byNotes(header)
  const subject = (one: string, all: Targets) =>
    isSubject(one) ? targetOfSubject(one, { type: name, targets: all }) : undefined
  const faults: RowFault[] = []
  const columns = columnsOfHeaders(head, { targets, others, options, guess, subject }, faults)
  const match = options.match ?? usualMatch(columns) ?? matchOfAnimals(name, { columns, options })
  const leftOut = new Set(
    head.cells.flatMap((header, at) => {
      const isUnknown = options.others === 'skip' && !columns.some((column) => column.at === at)
      return isUnknown || options.map.get(trimmedTextKey(header || columnNumbered(at))) === '' ? [at] : []
    }),
  )
  const plan = planIn(type, [...title, head])
  const areNewLogs = name === 'log' && match === undefined
  const thisYear = Number(isoTime(installation.clock(), zone).slice(0, 4))
  const shaped = await shapedSheet(asSent, { headRow: head.row, title, columns, options, areNewLogs, thisYear })
  const source = withValues(shaped.source, columns, options)
  faults.push(...shaped.faults)
  const words = await labelsOf(options.language ?? language)
  const labels = Object.fromEntries([
    ...Object.entries(farm.records.log.bundles).map(([one, { label }]) => [one, label] as const),
    ...Object.entries(words?.types ?? {}).map(([one, [label = one]]) => [one, label] as const),
  ])
  const spoken = { languages: languagesOfHead, labels }
  const rest = { farm, type: farm.records[name], options, headRow: head.row, plan, forms: new Map(), zone, ...spoken }
  const sheet: SheetInput = { ...rest, match, columns, leftOut }
  if (faults.length === 0) requireMatch(sheet, used)
  const notes = [...table.notes, ...shaped.notes]
  return { sheet, bundles, present, source, faults, notes, headers: head.cells, remembered }
}

type Targets = ReadonlyMap<string, HeaderTarget>

/** The header row, and the rows above it. */
async function headOf(source: SheetSource, headRow: number): Promise<{ head: CsvRow; title: readonly CsvRow[] }> {
  const title: CsvRow[] = []
  for await (const row of rowsOf(source)) {
    if (row.row >= headRow) return { head: row, title }
    title.push(row)
  }
  throw new Refusal('unreadable-body', 'The sheet is empty: it has no row of headers.')
}

interface SheetRows {
  readonly head: CsvRow
  readonly options: SheetOptions
  readonly source: SheetSource
  /** Targets of every bundle. */
  readonly targets: ReadonlyMap<string, HeaderTarget>
  readonly kinds: Awaited<ReturnType<typeof guessOfKinds>>
}

/** The bundles of the rows. Empty if a row has no known bundle. */
async function bundlesUsed(
  bundles: KnownBundles,
  { head, options, source, targets, kinds }: SheetRows,
): Promise<readonly string[]> {
  const { type } = bundles
  if (options.bundle !== undefined) {
    const named = bundleCalled(bundles, options.bundle)
    if (named === undefined)
      throw badQuery(
        'type',
        `there is no ${type.bundleName} ${JSON.stringify(options.bundle)}`,
        Object.keys(type.bundles),
      )
  }
  const byWords = guessFor(type.name, targets)
  const guess = (header: string, at: number) => kinds(header, at) ?? byWords(header)
  const all = columnsOfHeaders(head, { targets, options, guess }, [])
  const column = columnFor({ columns: all }, 'bundle')
  const usual = options.bundle === undefined ? undefined : bundleCalled(bundles, options.bundle)
  if (column === undefined) return usual === undefined ? [] : [usual]
  const used = new Set<string>()
  for await (const row of rowsOf(source)) {
    if (row.row <= head.row) continue
    const bundle = bundleIn(bundles, { column, row, usual })
    if (bundle === undefined) return []
    used.add(bundle)
  }
  return [...used]
}

interface BundleCell {
  readonly column: InputColumn | undefined
  readonly row: CsvRow
  /** The bundle of rows that do not name one. */
  readonly usual: string | undefined
}

const bundleIn = (bundles: KnownBundles, { column, row, usual }: BundleCell): string | undefined => {
  const cell = cellIn(row, column).trim()
  const isGuessed = column !== undefined && column.because !== 'name' && bundles.type.name === 'log'
  if (cell === '') return usual ?? (isGuessed ? activityBundle : undefined)
  return bundleCalled(bundles, cell) ?? kindIn(bundles, cell) ?? (isGuessed ? activityBundle : undefined)
}

/** The type of log that people mean by a word. */
function kindIn({ type }: KnownBundles, cell: string): string | undefined {
  const meant = type.name === 'log' ? logTypeMeant(cell) : undefined
  return meant !== undefined && Object.hasOwn(type.bundles, meant) ? meant : undefined
}

/** The bundle of a row: its own, or the default. An unknown name is returned as written. */
export function bundleOfRow(
  { sheet, bundles }: Pick<OpenedSheet, 'sheet' | 'bundles'>,
  row: CsvRow,
): string | undefined {
  const column = columnFor(sheet, 'bundle')
  const { bundle } = sheet.options
  const usual = bundle === undefined ? undefined : bundleCalled(bundles, bundle)
  return bundleIn(bundles, { column, row, usual }) ?? (cellIn(row, column).trim() || undefined)
}

/** A sheet exported here has UUIDs; an older one has ids. */
const usualMatch = (columns: readonly InputColumn[]): MatchKey | undefined =>
  (['uuid', 'id'] as const).find((use) => columnFor({ columns }, use) !== undefined)

/** Animals that come again are known by their ear tags. */
const matchOfAnimals = (
  type: RecordType['name'],
  { columns, options }: Pick<SheetInput, 'columns' | 'options'>,
): MatchKey | undefined => {
  const isTagged = columns.some(
    ({ topic, name }) => topic?.subject === 'tag' || topic?.subject === 'chip' || name === 'tag',
  )
  return type === 'asset' && options.again === '0' && isTagged ? 'tag' : undefined
}

function requireMatch(sheet: SheetInput, bundles: readonly string[]): void {
  const { match, type } = sheet
  if (match === undefined) return
  if (match === 'name' && (type.name === 'log' || bundles.length !== 1))
    throw badQuery('match', `name is for assets and terms of one ${type.bundleName}; give the ${type.bundleName}`, [
      'uuid',
      'id',
    ])
  if (match === 'tag' && type.name !== 'asset') throw badQuery('match', 'tag is for assets', ['uuid', 'id'])
  if (columnOfMatch(sheet) === undefined) throw badQuery('match', `there is no column for ${match}`)
}

/** The format of each column, as far as the cells show it. */
export async function formsFromCells({ sheet, source }: OpenedSheet): Promise<ColumnForms> {
  const forms = new ColumnForms(sheet.columns, sheet.options)
  for await (const row of rowsOf(source)) if (row.row > sheet.headRow) forms.add(row)
  return forms
}

interface KnownBundles {
  /** The type with the bundles of this interface. */
  readonly type: RecordType
  readonly vocabularies: ReadonlyMap<string, number>
}

const bundlesKnown = (
  farm: Farm,
  type: RecordType['name'],
  { present, vocabularies }: { readonly present: PresentBundles; readonly vocabularies: ReadonlyMap<string, number> },
): KnownBundles => ({ type: olderFarm(farm, present).records[type], vocabularies })

/** Finds a bundle by its name, its label or the id of a vocabulary. */
function bundleCalled({ type, vocabularies }: KnownBundles, word: string): string | undefined {
  const given = word.trim()
  if (Object.hasOwn(type.bundles, given)) return given
  const vocabulary = type.bundleName === 'vocabulary' ? vocabularyIn({ vocabularies }, given) : undefined
  if (vocabulary !== undefined && Object.hasOwn(type.bundles, vocabulary)) return vocabulary
  const key = trimmedTextKey(given)
  const called = Object.entries(type.bundles).filter(([name, bundle]) =>
    [name, bundle.label, bundle.plural, (bundle as Partial<Vocabulary>).title].some(
      (label) => label !== undefined && trimmedTextKey(label) === key,
    ),
  )
  return called.length === 1 ? called[0]?.[0] : undefined
}
