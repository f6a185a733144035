import type { Fields, PartField } from './field.ts'

export const part = (label: string, fields: Fields, traits: Partial<PartField> = {}): PartField => ({
  kind: 'part',
  label,
  fields,
  ...traits,
})
