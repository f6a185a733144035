import type { Fields, PartField } from './field.ts'

export const part = <F extends Fields, const T extends Partial<PartField>>(
  label: string,
  fields: F,
  traits?: T,
): PartField & { readonly fields: F } & T => ({ kind: 'part', label, fields, ...(traits as T) })
