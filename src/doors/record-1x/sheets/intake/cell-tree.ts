import { type Field, type FieldKind, type FieldOf, isMany, type PartField } from '../../../../fields/field.ts'
import { trimmedTextKey } from '../../../../fields/key.ts'
import { isTree, shown, type Tree } from '../../../../fields/place.ts'
import { numberBy } from '../../../../formats/csv/decimal-sign.ts'
import { momentIn } from '../../../../formats/csv/moment.ts'
import { Refusal } from '../../../../refusal.ts'
import { strictJson } from '../../../http/strict-json.ts'
import { separateValues } from '../cells/several.ts'
import type { CellSpot, On } from './cell-reading.ts'
import { amountsIn, isAmount, isTagged, taggedIn } from './plain-parts.ts'

type ReadTable = { readonly [K in FieldKind]: (field: FieldOf<K>, cell: string, on: On) => unknown }

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
export function treeOfCell<K extends FieldKind>(field: FieldOf<K>, cell: string, on: On): unknown {
  const read = treeOf[field.kind as K]
  if (!isMany(field as Field) || field.kind === 'part') return read(field, cell, on)
  const values = field.kind === 'attachment' && cell.startsWith('data:') ? [cell] : separateValues(cell)
  const trees = values.filter((value) => value !== '').map((value) => read(field, value, on))
  return trees.includes(undefined) ? undefined : trees
}

function timestampIn({ unset }: FieldOf<'timestamp'>, cell: string, { reading, spot }: On): unknown {
  if (cell.trim() === String(spot.before)) return cell.trim()
  if (unset !== undefined && ['0', ...noWords].includes(cell.trim().toLowerCase())) return String(unset)
  const moment = momentIn(cell, reading)
  return 'second' in moment ? String(moment.second) : spot.fault(moment.fault)
}

/** Two times are not longer, however they are written. */
const longestPeriod = 200

/** `beginning/end`, or one time that is both. */
function periodIn(field: FieldOf<'period'>, cell: string, { reading, spot }: On): unknown {
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

function yesNoIn(_field: FieldOf<'yes-no'>, cell: string, { spot }: On): unknown {
  const word = cell.trim().toLowerCase()
  if (yesWords.includes(word)) return true
  return noWords.includes(word) ? false : spot.fault(`must be yes or no, not ${shown(cell)}`, ['yes', 'no'])
}

function numberIn(_field: Field, cell: string, { reading, spot }: On): unknown {
  const sign = reading.sign === ',' ? 'comma' : 'point'
  return numberBy(reading.sign, cell) ?? spot.fault(`${shown(cell)} is not a number with a decimal ${sign}`)
}

function choiceIn({ list }: FieldOf<'choice'>, cell: string, { reading }: On): unknown {
  const word = cell.trim()
  const words = reading.words(list)
  const key = trimmedTextKey(word)
  const meant =
    words.find(({ value }) => value === word) ??
    words.find(({ value, label }) => [value, label].some((one) => trimmedTextKey(one) === key))
  return meant?.value ?? word
}

/** Parts are JSON, as a record shows them; what has one plain word for it is taken so, too. */
function partsIn(field: PartField, cell: string, on: On): unknown {
  if (/^\s*[[{]/.test(cell)) return withReferred(jsonIn(cell, on.spot), field, on)
  if (isAmount(field)) return amountsIn(field, cell, on)
  if (isTagged(field)) return taggedIn(field, cell, on.spot)
  return on.spot.fault(`must be JSON such as [{"${Object.keys(field.fields)[0]}": …}]`, Object.keys(field.fields))
}

function jsonIn(cell: string, spot: CellSpot): unknown {
  try {
    return strictJson(Buffer.from(cell))
  } catch (error) {
    if (error instanceof Refusal) return spot.fault(`is not JSON: ${error.message}`)
    throw error
  }
}

/** The same JSON with what its words in the places of references stand for. */
function withReferred(tree: unknown, field: PartField, on: On): unknown {
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

function referredIn(tree: unknown, field: FieldOf<'reference'>, on: On): unknown {
  if (Array.isArray(tree)) return tree.map((one) => referredIn(one, field, on))
  const word = isTree(tree) ? nameAlone(tree) : tree
  if (typeof word !== 'string' || word.trim() === '') return tree
  return on.reading.referred(field, word.trim(), on.spot)
}

const nameAlone = ({ id, uuid, name }: Tree): unknown => (id === undefined && uuid === undefined ? name : undefined)
