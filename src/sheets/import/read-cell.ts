import type { Choice } from '../../farm/farm.ts'
import { type Field, type FieldOf, isMany, type PartField } from '../../fields/field.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { CellFaults, CellReader, LinkedKind } from '../../fields/kind.ts'
import { isPlain, rulesOf } from '../../fields/kinds.ts'
import { isTree, shown, type Tree } from '../../fields/place.ts'
import type { PartValue, Value } from '../../fields/value.ts'
import { type DateOrder, momentIn } from '../../formats/csv/dates.ts'
import { amountIn, type DecimalSign, numberBy } from '../../formats/csv/decimals.ts'
import { strictJson } from '../../formats/json/read-json.ts'
import { noDate } from '../../formats/xlsx/number-formats.ts'
import { noResult } from '../../formats/xlsx/sheet-cells.ts'
import { Refusal } from '../../refusal.ts'
import { measureOfUnit } from '../../reports/units.ts'
import { spellField } from '../../wire-1x/spelling.ts'
import { separateValues } from '../cells.ts'

/** Rules for reading the cells of one column. */
export interface CellRules {
  readonly sign: DecimalSign
  readonly order: DateOrder
  readonly zone: string
  readonly words: (list: string) => readonly Choice[]
  /** Resolves a word to a reference, as JSON has it. */
  readonly referred: (field: FieldOf<'reference'>, word: string, spot: CellFaults) => unknown
}

interface CellContext {
  readonly reading: CellRules
  readonly spot: CellFaults
}

/** One fault of a sheet: its place, the cell, and what is allowed. */
export interface RowFault {
  /** Row number as in a spreadsheet. */
  readonly row: number
  /** The header, or the name of a field without a column. */
  readonly column: string
  /** The text of the cell. */
  readonly value: string
  readonly message: string
  readonly allowed?: readonly string[]
}

/** One value as JSON, by kind. Undefined after a fault was noted. */
function oneOfCell(field: Field, cell: string, on: CellContext): unknown {
  if (!isPlain(field)) return linkedOfCell(field, cell, on)
  return rulesOf(field).cell.read(field, cell, { reader: readerOf(on.reading), spot: on.spot })
}

const readerOf = (reading: CellRules): CellReader => ({
  sign: reading.sign,
  moment: (cell) => momentIn(cell, reading),
  number: (cell) => numberBy(reading.sign, cell),
  json: jsonIn,
})

type LinkedTable = { readonly [K in LinkedKind]: (field: FieldOf<K>, cell: string, on: CellContext) => unknown }

const linkedTrees: LinkedTable = {
  choice: choiceIn,
  reference: (field, cell, { reading, spot }) => reading.referred(field, cell.trim(), spot),
  attachment: (_field, cell) => cell.trim(),
  part: partsIn,
}

const linkedOfCell = <K extends LinkedKind>(field: FieldOf<K>, cell: string, on: CellContext): unknown =>
  linkedTrees[(field as Field).kind as K](field, cell, on)

/** The value of a cell that is not empty, as JSON. */
export function treeOfCell(field: Field, cell: string, on: CellContext): unknown {
  if (!isMany(field) || field.kind === 'part') return oneOfCell(field, cell, on)
  const values = field.kind === 'attachment' && cell.startsWith('data:') ? [cell] : separateValues(cell)
  const trees = values.filter((value) => value !== '').map((value) => oneOfCell(field, value, on))
  return trees.includes(undefined) ? undefined : trees
}

function choiceIn({ list }: FieldOf<'choice'>, cell: string, { reading }: CellContext): unknown {
  const word = cell.trim()
  const words = reading.words(list)
  const key = trimmedTextKey(word)
  const meant =
    words.find(({ value }) => value === word) ??
    words.find(({ value, label }) => [value, label].some((one) => trimmedTextKey(one) === key))
  return meant?.value ?? word
}

/** Parts as JSON, or in short form if the part has one. */
function partsIn(field: PartField, cell: string, on: CellContext): unknown {
  if (/^\s*[[{]/.test(cell)) return withReferred(jsonIn(cell, on.spot), field, on)
  if (isAmount(field)) return amountsIn(field, cell, on)
  if (isTagged(field)) return taggedIn(field, cell, on.spot)
  return on.spot.fault(`must be JSON such as [{"${Object.keys(field.fields)[0]}": …}]`, Object.keys(field.fields))
}

function jsonIn(cell: string, spot: CellFaults): unknown {
  try {
    return strictJson(Buffer.from(cell))
  } catch (error) {
    if (error instanceof Refusal) return spot.fault(`is not JSON: ${error.message}`)
    throw error
  }
}

/** The same JSON with its references resolved. */
function withReferred(tree: unknown, field: PartField, on: CellContext): unknown {
  if (Array.isArray(tree)) return tree.map((one) => withReferred(one, field, on))
  if (!isTree(tree)) return tree
  return Object.fromEntries(
    Object.entries(tree).map(([name, member]) => {
      const own = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
      if (own?.kind === 'part') return [name, withReferred(member, own, on)]
      return [name, own?.kind === 'reference' ? referredIn(member, own, on) : member]
    }),
  )
}

function referredIn(tree: unknown, field: FieldOf<'reference'>, on: CellContext): unknown {
  if (Array.isArray(tree)) return tree.map((one) => referredIn(one, field, on))
  const word = isTree(tree) ? nameAlone(tree) : tree
  if (typeof word !== 'string' || word.trim() === '') return tree
  return on.reading.referred(field, word.trim(), on.spot)
}

const nameAlone = ({ id, uuid, name }: Tree): unknown => (id === undefined && uuid === undefined ? name : undefined)

/** A part with value and unit is an amount: `12,5 kg`. */
export const isAmount = ({ fields }: PartField): boolean =>
  fields.value?.kind === 'decimal' && fields.unit?.kind === 'reference'

/** A part with an `id` text is known by it, such as an ear tag. */
const isTagged = ({ fields }: PartField): boolean => fields.id?.kind === 'text'

/** The parts of a record, as JSON shows them. */
export function partTrees(field: PartField, before: Value | undefined): readonly Tree[] {
  const parts = (Array.isArray(before) ? before : before === undefined ? [] : [before]) as readonly PartValue[]
  const { many: _, ...single } = field
  const speller = { base: '', nameOf: () => '', textOfFile: (file: number) => `/file/${file}` }
  return parts.map((part) => spellField(single, part, speller) as Tree)
}

/** Amounts separated by `; `. If the record has as many, each keeps its other members. */
function amountsIn(field: PartField, cell: string, { reading, spot }: CellContext): unknown {
  const had = partTrees(field, spot.before)
  const amounts = separateValues(cell)
    .filter((one) => one !== '')
    .map((one) => ({
      ...(had.length === 0 ? measureFor(field, amountIn(one)?.unit ?? '') : {}),
      ...amountTree(field, one, { reading, spot }),
    }))
  if (had.length > 0 && had.length !== amounts.length)
    return spot.fault(`the record has ${had.length} of them and this cell ${amounts.length}; write them as JSON`)
  return amounts.map((amount, index) => ({ ...had[index], ...amount }))
}

/** The measure of a unit; `l/ha` and `kg/day` are rates. */
export function measureMeant(unit: string): string | undefined {
  const [, of] = /^\s*([^/\s]{1,12})\s*\/\s*[^/\s]{1,8}\s*$/.exec(unit) ?? []
  return measureOfUnit(unit) ?? (of !== undefined && measureOfUnit(of) !== undefined ? 'rate' : undefined)
}

/** Guesses the measure of a new amount from its unit: kilograms are a weight. */
export function measureFor({ fields }: PartField, unit: string): { readonly measure?: string } {
  const measure = fields.measure?.kind === 'choice' ? measureMeant(unit) : undefined
  return measure === undefined ? {} : { measure }
}

/** One amount: its value, and its unit if it has one. */
export function amountTree({ fields }: PartField, text: string, { reading, spot }: CellContext): Tree {
  const { number, unit } = amountIn(text) ?? { number: text, unit: undefined }
  const value = numberBy(reading.sign, number)
  if (value === undefined)
    spot.fault(`${shown(text)} is not an amount such as ${reading.sign === ',' ? '12,5' : '12.5'} kg`)
  if (unit === undefined || fields.unit?.kind !== 'reference') return { value }
  return { value, unit: reading.referred(fields.unit, unit, { ...spot, before: undefined }) }
}

/** Words separated by `; `. Parts that the record already has keep their other members. */
function taggedIn(field: PartField, cell: string, { before }: CellFaults): unknown {
  const had = partTrees(field, before)
  const words = isMany(field) ? separateValues(cell) : [cell]
  return words.filter((word) => word !== '').map((id) => had.find((one) => one.id === id) ?? { id })
}

/** Cells in which a spreadsheet says that it could not work something out. */
export function faultOfSpreadsheet(cell: string): string | undefined {
  if (cell === noResult)
    return 'is a formula whose result was not saved; open the file in a spreadsheet and save it again'
  if (cell === noDate) return 'is a number that stands for no day; correct the cell, or show it as a number'
  if (!/^#(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC)!$|^#NAME\?$|^#N\/A$/.test(cell)) return undefined
  return 'is an error of the spreadsheet; correct its formula, or empty the cell'
}

/** How spreadsheets show numbers that have more digits than they keep. */
const exponent = /^\s*\d(?:[.,]\d+)?E\+\d{1,3}\s*$/i

/** Tags, lots and other codes that a spreadsheet has made numbers of. */
export function faultOfCode(field: Field, cell: string): string | undefined {
  const isCode = field.kind === 'text' || (field.kind === 'part' && isTagged(field))
  return isCode && exponent.test(cell)
    ? 'was made a number by a spreadsheet, which has lost digits of it; make the column a text and enter it again'
    : undefined
}
