import { isMany, type PartField } from '../../../../fields/field.ts'
import { shown, type Tree } from '../../../../fields/place.ts'
import type { PartValue, Value } from '../../../../fields/value.ts'
import { amountIn, numberBy } from '../../../../formats/csv/decimal-sign.ts'
import { measureOfUnit } from '../../../../reports/units.ts'
import { spellField } from '../../wire/spelling.ts'
import { separateValues } from '../cells/several.ts'
import type { CellSpot, On } from './cell-reading.ts'

/** Whether a part is an amount of something: `12,5 kg` is its value and its unit. */
export const isAmount = ({ fields }: PartField): boolean =>
  fields.value?.kind === 'decimal' && fields.unit?.kind === 'reference'

/** Whether a part is known by a word of its own, as an ear tag is. */
export const isTagged = ({ fields }: PartField): boolean => fields.id?.kind === 'text'

/** The parts that a record has, as JSON shows them. */
export function partTrees(field: PartField, before: Value | undefined): readonly Tree[] {
  const parts = (Array.isArray(before) ? before : before === undefined ? [] : [before]) as readonly PartValue[]
  const { many: _, ...single } = field
  const speller = { base: '', nameOf: () => '', textOfFile: (file: number) => `/file/${file}` }
  return parts.map((part) => spellField(single, part, speller) as Tree)
}

/** Amounts with `; ` between. Of a record that has as many, each keeps what else is said of it. */
export function amountsIn(field: PartField, cell: string, { reading, spot }: On): unknown {
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
export function amountTree({ fields }: PartField, text: string, { reading, spot }: On): Tree {
  const { number, unit } = amountIn(text) ?? { number: text, unit: undefined }
  const value = numberBy(reading.sign, number)
  if (value === undefined)
    spot.fault(`${shown(text)} is not an amount such as ${reading.sign === ',' ? '12,5' : '12.5'} kg`)
  if (unit === undefined || fields.unit?.kind !== 'reference') return { value }
  return { value, unit: reading.referred(fields.unit, unit, { ...spot, before: undefined }) }
}

/** Words with `; ` between. Those that the record has already keep what else is said of them. */
export function taggedIn(field: PartField, cell: string, { before }: CellSpot): unknown {
  const had = partTrees(field, before)
  const words = isMany(field) ? separateValues(cell) : [cell]
  return words.filter((word) => word !== '').map((id) => had.find((one) => one.id === id) ?? { id })
}
