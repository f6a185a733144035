import type { LongTextField, RichTextField, TextField } from './field.ts'
import { valueLimits } from './limits.ts'
import { type InputPlace, shown } from './place.ts'
import type { RichText } from './value.ts'

/** The usual format of rich text. */
export const richTextFormat = 'farm_format'

/** What a rich text can say of itself; the last says nothing. */
export const richTextFormats: readonly string[] = [richTextFormat, 'plain_text', '']

export const text = (label: string, traits: Partial<TextField> = {}): TextField => ({
  kind: 'text',
  label,
  maxLength: valueLimits.textLength,
  ...traits,
})

export const longText = (label: string, traits: Partial<LongTextField> = {}): LongTextField => ({
  kind: 'long-text',
  label,
  maxLength: valueLimits.dataLength,
  ...traits,
})

export const richText = (label: string, traits: Partial<RichTextField> = {}): RichTextField => ({
  kind: 'rich-text',
  label,
  ...traits,
})

type WithLength = Pick<TextField | LongTextField, 'maxLength'>

export function validateText({ maxLength }: WithLength, text: string, place: InputPlace): string | undefined {
  if (text.length <= maxLength || characters(text) <= maxLength) return text
  return place.fault(`is longer than ${maxLength} characters`)
}

export function validateRichText(_field: RichTextField, rich: RichText, place: InputPlace): RichText | undefined {
  const { value, format } = rich
  if (!richTextFormats.includes(format))
    return place.inside('format').fault(`unknown text format ${shown(format)}`, richTextFormats)
  return validateText({ maxLength: valueLimits.textLength }, value, place.inside('value')) === undefined
    ? undefined
    : rich
}

function characters(input: string): number {
  let count = 0
  for (const _character of input) count += 1
  return count
}
