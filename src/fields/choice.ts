import type { ChoiceField } from './field.ts'
import { valueLimits } from './limits.ts'
import { type InputPlace, shown } from './place.ts'

export const choice = (label: string, list: string, traits: Partial<ChoiceField> = {}): ChoiceField => ({
  kind: 'choice',
  label,
  list,
  ...traits,
})

export function validateChoice(field: ChoiceField, word: string, place: InputPlace): string | undefined {
  const words = place.words(field.list)
  if (words.includes(word)) return word
  if (!field.open) return place.fault(`${shown(word)} is not one of the allowed values`, words)
  if (word.trim() !== '' && word.length <= valueLimits.flagLength) return word
  return place.fault(`must be a short word of 1 to ${valueLimits.flagLength} characters`)
}
