import type { Choice } from '../../farm/farm.ts'
import { type Field, type FieldKind, type FieldOf, isMany, type PartField } from '../../fields/field.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import { isTree, shown, type Tree } from '../../fields/place.ts'
import type { PartValue, Value } from '../../fields/value.ts'
import { type DateOrder, momentIn } from '../../formats/csv/dates.ts'
import { amountIn, type DecimalSign, numberBy } from '../../formats/csv/decimals.ts'

import { strictJson } from '../../formats/json/read-json.ts'
import { Refusal } from '../../refusal.ts'
import { measureOfUnit } from '../../reports/units.ts'
import { spellField } from '../../wire-1x/spelling.ts'
import { separateValues } from '../cells.ts'

/** How the cells of one column are read. */
export interface CellRules {
  readonly sign: DecimalSign
  readonly order: DateOrder
  readonly zone: string
  readonly words: (list: string) => readonly Choice[]
  /** What a word in the place of a reference stands for, as JSON has it. */
  readonly referred: (field: FieldOf<'reference'>, word: string, spot: CellFaults) => unknown
}

/** One cell: what is wrong with it is noted, and what the record says there so far. */
export interface CellFaults {
  readonly fault: (message: string, allowed?: readonly string[]) => undefined
  readonly before: Value | undefined
}

/** A cell that is being read. */
interface CellContext {
  readonly reading: CellRules
  readonly spot: CellFaults
}

/** One thing that is wrong with a sheet: where it stands, what it says there, and what would be right. */
export interface RowFault {
  /** As a spreadsheet counts them. */
  readonly row: number
  /** The header, or the name of a field that has no column. */
  readonly column: string
  /** As the cell says it. */
  readonly value: string
  readonly message: string
  readonly allowed?: readonly string[]
}

type ReadTable = { readonly [K in FieldKind]: (field: FieldOf<K>, cell: string, on: CellContext) => unknown }

const asIs = (_field: Field, cell: string): string => cell
const trimmed = (_field: Field, cell: string): string => cell.trim()

/** What one value of each kind is in JSON; undefined where it is none, which the spot has noted. */
const treeOf: ReadTable = {
  text: asIs,
  'long-text': asIs,
  'rich-text': asIs,
  timestamp: timestampIn,
  period: periodIn,
  'yes-no': yesNoIn,
  whole: numberIn,
  decimal: numberIn,
  choice: choiceIn,
  reference: (field, cell, { reading, spot }) => reading.referred(field, cell.trim(), spot),
  geometry: trimmed,
  attachment: trimmed,
  part: partsIn,
}

/** The value of a cell in which something stands, as JSON would have it. */
export function treeOfCell<K extends FieldKind>(field: FieldOf<K>, cell: string, on: CellContext): unknown {
  const read = treeOf[field.kind as K]
  if (!isMany(field as Field) || field.kind === 'part') return read(field, cell, on)
  const values = field.kind === 'attachment' && cell.startsWith('data:') ? [cell] : separateValues(cell)
  const trees = values.filter((value) => value !== '').map((value) => read(field, value, on))
  return trees.includes(undefined) ? undefined : trees
}

function timestampIn({ unset }: FieldOf<'timestamp'>, cell: string, { reading, spot }: CellContext): unknown {
  if (cell.trim() === String(spot.before)) return cell.trim()
  if (unset !== undefined && ['0', ...noWords].includes(cell.trim().toLowerCase())) return String(unset)
  const moment = momentIn(cell, reading)
  return 'second' in moment ? String(moment.second) : spot.fault(moment.fault)
}

/** Two times are not longer, however they are written. */
const longestPeriod = 200

/** `beginning/end`, or one time that is both. */
function periodIn(field: FieldOf<'period'>, cell: string, { reading, spot }: CellContext): unknown {
  if (cell.trim().startsWith('{')) return jsonIn(cell, spot)
  const ends = cell.length > longestPeriod ? [cell] : cell.split(/\s*\/\s*(?=[^/]*$)|\s+(?:–|-|to)\s+/)
  const [beginning = '', end = beginning] =
    ends.length === 2 && !/^\d{1,2}\/\d{1,2}$/.test(ends[0] ?? '') ? ends : [cell]
  const [value, value2] = [beginning, end].map((one) =>
    timestampIn({ kind: 'timestamp', label: field.label }, one, { reading, spot: { ...spot, before: undefined } }),
  )
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}

const yesWords: readonly string[] = ['yes', 'y', 'true', '1', 'x', 'ja', 'wahr']
const noWords: readonly string[] = ['no', 'n', 'false', '0', 'nein', 'falsch']

function yesNoIn(_field: FieldOf<'yes-no'>, cell: string, { spot }: CellContext): unknown {
  const word = cell.trim().toLowerCase()
  if (yesWords.includes(word)) return true
  return noWords.includes(word) ? false : spot.fault(`must be yes or no, not ${shown(cell)}`, ['yes', 'no'])
}

function numberIn(_field: Field, cell: string, { reading, spot }: CellContext): unknown {
  const sign = reading.sign === ',' ? 'comma' : 'point'
  return numberBy(reading.sign, cell) ?? spot.fault(`${shown(cell)} is not a number with a decimal ${sign}`)
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

/** Parts are JSON, as a record shows them; what has one plain word for it is taken so, too. */
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

/** The same JSON with what its words in the places of references stand for. */
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

/** Whether a part is an amount of something: `12,5 kg` is its value and its unit. */
export const isAmount = ({ fields }: PartField): boolean =>
  fields.value?.kind === 'decimal' && fields.unit?.kind === 'reference'

/** Whether a part is known by a word of its own, as an ear tag is. */
const isTagged = ({ fields }: PartField): boolean => fields.id?.kind === 'text'

/** The parts that a record has, as JSON shows them. */
export function partTrees(field: PartField, before: Value | undefined): readonly Tree[] {
  const parts = (Array.isArray(before) ? before : before === undefined ? [] : [before]) as readonly PartValue[]
  const { many: _, ...single } = field
  const speller = { base: '', nameOf: () => '', textOfFile: (file: number) => `/file/${file}` }
  return parts.map((part) => spellField(single, part, speller) as Tree)
}

/** Amounts with `; ` between. Of a record that has as many, each keeps what else is said of it. */
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

/** The measure of a new amount that has none, where its unit is of one alone: kilograms weigh. */
export function measureFor({ fields }: PartField, unit: string): { readonly measure?: string } {
  const measure = fields.measure?.kind === 'choice' ? measureOfUnit(unit) : undefined
  return measure === undefined ? {} : { measure }
}

/** One amount: its value, and its unit where it has one. */
export function amountTree({ fields }: PartField, text: string, { reading, spot }: CellContext): Tree {
  const { number, unit } = amountIn(text) ?? { number: text, unit: undefined }
  const value = numberBy(reading.sign, number)
  if (value === undefined)
    spot.fault(`${shown(text)} is not an amount such as ${reading.sign === ',' ? '12,5' : '12.5'} kg`)
  if (unit === undefined || fields.unit?.kind !== 'reference') return { value }
  return { value, unit: reading.referred(fields.unit, unit, { ...spot, before: undefined }) }
}

/** Words with `; ` between. Those that the record has already keep what else is said of them. */
function taggedIn(field: PartField, cell: string, { before }: CellFaults): unknown {
  const had = partTrees(field, before)
  const words = isMany(field) ? separateValues(cell) : [cell]
  return words.filter((word) => word !== '').map((id) => had.find((one) => one.id === id) ?? { id })
}
