import { decimalOfNumber, mostDecimalDigits, readDecimal } from './exact-decimal.ts'
import type { DecimalField, WholeField, YesNoField } from './field.ts'
import { decimalKey, wholeKey } from './key.ts'
import type { CellInput, KindRules } from './kind.ts'
import { type InputPlace, shown } from './place.ts'
import { noWords, wholeNumber, yesNoWords, yesOrNo, yesWords } from './scalars.ts'

export const whole = (label: string, traits: Partial<WholeField> = {}): WholeField => ({
  kind: 'whole',
  label,
  min: -2_147_483_648,
  max: 2_147_483_647,
  ...traits,
})

export const decimal = (label: string, traits: Partial<DecimalField> = {}): DecimalField => ({
  kind: 'decimal',
  label,
  ...traits,
})

export const yesNo = (label: string, traits: Partial<YesNoField> = {}): YesNoField => ({
  kind: 'yes-no',
  label,
  ...traits,
})

export const wholeKind: KindRules<'whole'> = {
  several: false,
  isLine: false,
  validate: ({ min, max }, number, place) =>
    number >= min && number <= max ? number : place.fault(`must lie between ${min} and ${max}`),
  key: wholeKey,
  bounds: ({ min, max }) => ({ min, max }),
  older: {
    type: () => 'number_integer',
    template: () => null,
    read: (_field, input, place) => wholeIn(input, place),
    spell: String,
    none: () => null,
    shown: () => 'Whole',
    given: () => 'GivenWhole',
    filter: { by: 'value', offers: 'order', equals: { type: 'string' }, compares: 'GivenWhole' },
  },
  newer: {
    read: wholeIn,
    spell: (value) => value,
    schema: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
    compares: 'number',
  },
  cell: { spell: String, read: numberOfCell },
  mapText: (text) => text,
}

function wholeIn(input: unknown, place: InputPlace): number | undefined {
  return wholeNumber(input) ?? place.fault(`must be a whole number, not ${shown(input)}`)
}

function numberOfCell(_field: WholeField | DecimalField, cell: string, { reader, spot }: CellInput): unknown {
  const sign = reader.sign === ',' ? 'comma' : 'point'
  return reader.number(cell) ?? spot.fault(`${shown(cell)} is not a number with a decimal ${sign}`)
}

export const decimalKind: KindRules<'decimal'> = {
  several: false,
  isLine: false,
  validate: (_field, draft) => draft,
  key: decimalKey,
  bounds: () => ({}),
  older: {
    type: () => 'number_decimal',
    template: () => null,
    read: (_field, input, place) => decimalIn(input, place),
    spell: (value) => value,
    none: () => null,
    shown: () => 'Decimal',
    given: () => 'GivenDecimal',
    filter: { by: 'value', offers: 'order', equals: { type: 'string' }, compares: 'GivenDecimal' },
  },
  newer: {
    read: decimalIn,
    spell: (value) => value,
    schema: () => ({ type: 'string' }),
    compares: 'decimal',
  },
  cell: { spell: String, read: numberOfCell },
  mapText: (text) => text,
}

export function decimalIn(input: unknown, place: InputPlace): string | undefined {
  const kept =
    typeof input === 'number' ? decimalOfNumber(input) : typeof input === 'string' ? readDecimal(input) : undefined
  return kept ?? place.fault(`must be a decimal number of up to ${mostDecimalDigits} digits, not ${shown(input)}`)
}

export const yesNoKind: KindRules<'yes-no'> = {
  several: false,
  isLine: false,
  validate: (_field, draft) => draft,
  key: (value) => (value ? '1' : '0'),
  bounds: () => ({}),
  older: {
    type: () => 'list_boolean',
    template: () => null,
    read: (_field, input, place) =>
      yesOrNo(input) ?? place.fault(`must be 1 or 0, or true or false, not ${shown(input)}`, yesNoWords),
    spell: (value, { asDigit }) => (asDigit ? (value ? '1' : '0') : value),
    none: ({ asDigit }) => (asDigit ? '0' : false),
    shown: ({ asDigit }) => (asDigit ? 'YesNoDigit' : { type: 'boolean' }),
    given: () => 'GivenYesNo',
    filter: { by: 'value', offers: 'nothing', equals: { type: 'string', enum: [...yesNoWords, ''] } },
  },
  newer: {
    read: (input, place) => yesOrNo(input) ?? place.fault(`must be true or false, not ${shown(input)}`, yesNoWords),
    spell: (value) => value,
    schema: () => ({ type: 'boolean' }),
    compares: 'yes or no',
  },
  cell: { spell: (value) => (value === true ? 'yes' : 'no'), read: yesNoOfCell },
  mapText: (text) => ({ yes: true, no: false })[text] ?? text,
}

function yesNoOfCell(_field: YesNoField, cell: string, { spot }: CellInput): unknown {
  const word = cell.trim().toLowerCase()
  if (yesWords.includes(word)) return true
  return noWords.includes(word) ? false : spot.fault(`must be yes or no, not ${shown(cell)}`, ['yes', 'no'])
}
