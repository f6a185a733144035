import type { RecordTypeName } from '../../../../farm/farm.ts'
import { textKey, trimmedTextKey } from '../../../../fields/key.ts'
import { isTree, shown } from '../../../../fields/place.ts'
import { uuidIn } from '../../../../fields/uuid.ts'
import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import type { Snapshot } from '../../../../storage/database.ts'
import { identitiesOf } from '../../../../storage/identity.ts'
import { recordsCalled, recordsNumbered, recordsWithValue } from '../../../../storage/records/record-lookup.ts'
import { wholeNumber } from '../../../http/whole-number.ts'
import { numberInName } from '../cells/named.ts'
import { separateValues } from '../cells/several.ts'
import type { Column } from './columns.ts'
import { tagField } from './named-in-cells.ts'
import type { MatchKey } from './options.ts'
import { cellIn, columnFor, columnNamed, type RowGroup, type Sheet } from './sheet.ts'

/** Which record rows are about: one that is there, a new one, or why that cannot be told. */
export type Match =
  | { readonly is: 'there'; readonly id: number }
  | { readonly is: 'new' }
  | { readonly is: 'fault'; readonly message: string; readonly allowed?: readonly string[] }

const fresh: Match = { is: 'new' }

/** Which record a row says that it is about, by the words that it says it with. */
interface Asked {
  readonly column: Column
  readonly words: readonly string[]
}

/** The words of a row that say which record it is about; undefined where it says nothing. */
export function askedBy(sheet: Sheet, { rows: [row] }: RowGroup): Asked | undefined {
  const column = columnOfMatch(sheet)
  if (column === undefined) return undefined
  const cell = cellIn(row, column)
  const words = sheet.match === 'tag' ? tagsIn(column, cell) : [cell.trim()]
  const said = words.filter((word) => word !== '')
  return said.length === 0 ? undefined : { column, words: said }
}

/** The column that says which record a row is about. */
export function columnOfMatch(sheet: Pick<Sheet, 'columns' | 'match'>): Column | undefined {
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

const columnOfTags = (sheet: Pick<Sheet, 'columns'>): Column | undefined =>
  columnNamed(sheet, `${tagField.part}.${tagField.member}`) ?? columnNamed(sheet, tagField.part)

/** The ear tags that a row gives its asset. */
export function tagsOfRow(sheet: Sheet, row: CsvRow): readonly string[] {
  const column = sheet.type.name === tagField.type ? columnOfTags(sheet) : undefined
  return column === undefined ? [] : tagsIn(column, cellIn(row, column))
}

function tagsIn({ member }: Column, cell: string): readonly string[] {
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

interface Keyed {
  readonly key: MatchKey
  readonly type: RecordTypeName
  /** Of names: the one bundle that all rows are of. */
  readonly bundle: string | undefined
}

/** Which record each of these asks for, looked up for all together. */
export async function matchesOf(
  snapshot: Snapshot,
  { key, type, bundle }: Keyed,
  asked: readonly Asked[],
): Promise<(one: Asked) => Match> {
  const words = [...new Set(asked.flatMap((one) => one.words))]
  switch (key) {
    case 'uuid': {
      const identities = await identitiesOf(
        snapshot,
        words.flatMap((word) => uuidIn(word) ?? []),
      )
      return ({ words: [word = ''] }) => {
        const uuid = uuidIn(word)
        if (uuid === undefined) return fault(`${shown(word)} is not a UUID`)
        const identity = identities.get(uuid)
        if (identity === undefined) return fresh
        if (identity.type !== type) return fault('stands for something of another type; take a new one')
        return identity.removed === null
          ? { is: 'there', id: identity.number }
          : fault('stands for a record that was removed')
      }
    }
    case 'id': {
      const ids = words.flatMap((word) => idIn(word) ?? [])
      const there = await recordsNumbered(snapshot, type, ids)
      return ({ words: [word = ''] }) => {
        const id = idIn(word)
        if (id === undefined) return fault(`${shown(word)} is not an id`)
        return there.has(id)
          ? { is: 'there', id }
          : fault(`there is no ${type} ${id}; leave the cell empty to make one`)
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

function only(type: RecordTypeName, ids: readonly number[]): Match {
  const [id, second] = new Set(ids)
  if (id === undefined) return fresh
  if (second === undefined) return { is: 'there', id }
  return fault(
    'stands for several records; match them by id or uuid',
    [...new Set(ids)].map((one) => `${type} ${one}`),
  )
}

const fault = (message: string, allowed?: readonly string[]): Match =>
  allowed === undefined ? { is: 'fault', message } : { is: 'fault', message, allowed }

function idIn(word: string): number | undefined {
  const behind = numberInName(word)
  const id = behind?.name === '' ? behind.id : wholeNumber(word)
  return id !== undefined && id > 0 ? id : undefined
}
