import type { ChoiceField } from './field.ts'
import { valueLimits } from './limits.ts'
import { type Place, shown } from './place.ts'

export const choice = (label: string, list: string, traits: Partial<ChoiceField> = {}): ChoiceField => ({
  kind: 'choice',
  label,
  list,
  ...traits,
})

export function takeChoice(field: ChoiceField, input: unknown, place: Place): string | undefined {
  const words = place.words(field.list)
  if (typeof input !== 'string') return place.fault(`must be a word, not ${shown(input)}`, words)
  if (words.includes(input)) return input
  if (!field.open) return place.fault(`${shown(input)} is not one of the allowed values`, words)
  if (input.trim() !== '' && input.length <= valueLimits.flagLength) return input
  return place.fault(`must be a short word of 1 to ${valueLimits.flagLength} characters`)
}
