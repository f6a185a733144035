import type { DecimalField, WholeField, YesNoField } from './field.ts'
import type { InputPlace } from './place.ts'

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

export function validateWhole({ min, max }: WholeField, number: number, place: InputPlace): number | undefined {
  return number >= min && number <= max ? number : place.fault(`must lie between ${min} and ${max}`)
}
