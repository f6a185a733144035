import type { RecordTypeName } from '../../farm/farm.ts'
import { textKey, trimmedTextKey } from '../../fields/key.ts'
import { isTree, shown } from '../../fields/place.ts'
import { uuidIn, wholeNumber } from '../../fields/scalars.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { Snapshot } from '../../storage/database.ts'
import { identitiesOf } from '../../storage/identity.ts'
import { recordsCalled, recordsNumbered, recordsWithValue } from '../../storage/records/record-lookup.ts'
import { numberInName, separateValues } from '../cells.ts'
import type { InputColumn } from './headers.ts'
import type { MatchKey } from './import-options.ts'
import { tagField } from './references.ts'
import { cellIn, columnFor, columnNamed, type RowGroup, type SheetInput } from './sheet-input.ts'
import { rowsOf, type SheetSource } from './sheet-source.ts'

/** The record of a row: an existing one, a new one, or the reason why it is undecided. */
export type RowMatch =
  | { readonly is: 'there'; readonly id: number }
  | { readonly is: 'new' }
  | { readonly is: 'fault'; readonly message: string; readonly allowed?: readonly string[] }

const fresh: RowMatch = { is: 'new' }

/** The identifiers in a row. */
interface MatchWords {
  readonly column: InputColumn
  readonly words: readonly string[]
}

/** The identifiers in a row; undefined if it has none. */
export function matchWordsOf(sheet: SheetInput, { rows: [row] }: RowGroup): MatchWords | undefined {
  const column = columnOfMatch(sheet)
  if (column === undefined) return undefined
  const cell = cellIn(row, column)
  const words = sheet.match === 'tag' ? tagsIn(column, cell) : [cell.trim()]
  const given = words.filter((word) => word !== '')
  return given.length === 0 ? undefined : { column, words: given }
}

/** The column that identifies the record. */
export function columnOfMatch(sheet: Pick<SheetInput, 'columns' | 'match'>): InputColumn | undefined {
  switch (sheet.match) {
    case 'uuid':
    case 'id':
      return columnFor(sheet, sheet.match)
    case 'tag':
      return columnOfTags(sheet)
    case 'name':
      return columnNamed(sheet, 'name')
    default:
      return undefined
  }
}

const columnOfTags = (sheet: Pick<SheetInput, 'columns'>): InputColumn | undefined =>
  columnNamed(sheet, `${tagField.part}.${tagField.member}`) ??
  columnNamed(sheet, tagField.part) ??
  columnNamed(sheet, 'chip')

/** Ear tags in a row. */
export function tagsOfRow(sheet: SheetInput, row: CsvRow): readonly string[] {
  const column = sheet.type.name === tagField.type ? columnOfTags(sheet) : undefined
  return column === undefined ? [] : tagsIn(column, cellIn(row, column))
}

function tagsIn({ member }: InputColumn, cell: string): readonly string[] {
  if (member !== undefined) return [cell]
  if (!/^\s*[[{]/.test(cell)) return separateValues(cell)
  try {
    const tree: unknown = JSON.parse(cell)
    return (Array.isArray(tree) ? tree : [tree]).flatMap((tag: unknown) =>
      isTree(tag) && typeof tag.id === 'string' ? [tag.id] : [],
    )
  } catch {
    return []
  }
}

interface MatchRule {
  readonly key: MatchKey
  readonly type: RecordTypeName
  /** For matching by name: the one bundle of all rows. */
  readonly bundle: string | undefined
}

/** Matches all rows in one lookup. */
export async function matchesOf(
  snapshot: Snapshot,
  { key, type, bundle }: MatchRule,
  asked: readonly MatchWords[],
): Promise<(one: MatchWords) => RowMatch> {
  const words = [...new Set(asked.flatMap((one) => one.words))]
  switch (key) {
    case 'uuid': {
      const identities = await identitiesOf(
        snapshot,
        words.flatMap((word) => uuidIn(word) ?? []),
      )
      return ({ words: [word = ''] }) => {
        const uuid = uuidIn(word)
        if (uuid === undefined) return matchFault(`${shown(word)} is not a UUID`)
        const identity = identities.get(uuid)
        if (identity === undefined) return fresh
        if (identity.type !== type) return matchFault('stands for something of another type; take a new one')
        return identity.removed === null
          ? { is: 'there', id: identity.number }
          : matchFault('stands for a record that was removed')
      }
    }
    case 'id': {
      const ids = words.flatMap((word) => idIn(word) ?? [])
      const there = await recordsNumbered(snapshot, type, ids)
      return ({ words: [word = ''] }) => {
        const id = idIn(word)
        if (id === undefined) return matchFault(`${shown(word)} is not an id`)
        return there.has(id)
          ? { is: 'there', id }
          : matchFault(`there is no ${type} ${id}; leave the cell empty to make one`)
      }
    }
    case 'tag': {
      const field = { type: tagField.type, field: `${tagField.part}.${tagField.member}` }
      const tagged = await recordsWithValue(snapshot, field, words.map(textKey))
      return (one) =>
        only(
          type,
          one.words.flatMap((word) => tagged.get(textKey(word)) ?? []),
        )
    }
    case 'name': {
      const called = await recordsCalled(snapshot, type, words.map(trimmedTextKey))
      return ({ words: [word = ''] }) => {
        const those = (called.get(trimmedTextKey(word)) ?? []).filter((one) => one.bundle === bundle)
        return only(
          type,
          those.map(({ id }) => id),
        )
      }
    }
  }
}

function only(type: RecordTypeName, ids: readonly number[]): RowMatch {
  const [id, second] = new Set(ids)
  if (id === undefined) return fresh
  if (second === undefined) return { is: 'there', id }
  return matchFault(
    'stands for several records; match them by id or uuid',
    [...new Set(ids)].map((one) => `${type} ${one}`),
  )
}

const matchFault = (message: string, allowed?: readonly string[]): RowMatch =>
  allowed === undefined ? { is: 'fault', message } : { is: 'fault', message, allowed }

function idIn(word: string): number | undefined {
  const behind = numberInName(word)
  const id = behind?.name === '' ? behind.id : wholeNumber(word)
  return id !== undefined && id > 0 ? id : undefined
}

/**
 * Rows grouped by record, starting after a given row. A record has one row, or consecutive rows if each part has its
 * own.
 */
export async function* groupsIn(sheet: SheetInput, source: SheetSource, behind = 0): AsyncGenerator<RowGroup> {
  let open: [CsvRow, ...CsvRow[]] | undefined
  for await (const row of rowsOf(source)) {
    if (row.row <= sheet.headRow || row.row <= behind) continue
    if (open !== undefined && isAboutTheSame(sheet, open[0], row)) {
      open.push(row)
      continue
    }
    if (open !== undefined) yield { rows: open }
    open = [row]
  }
  if (open !== undefined) yield { rows: open }
}

function isAboutTheSame(sheet: SheetInput, one: CsvRow, other: CsvRow): boolean {
  if (sheet.options.rows === undefined) return false
  const [first, second] = [one, other].map((row) => matchWordsOf(sheet, { rows: [row] })?.words.join('; '))
  return first !== undefined && first === second
}

export async function* inSlicesOf(groups: AsyncIterable<RowGroup>, size: number): AsyncGenerator<readonly RowGroup[]> {
  let slice: RowGroup[] = []
  for await (const group of groups) {
    slice.push(group)
    if (slice.length < size) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
