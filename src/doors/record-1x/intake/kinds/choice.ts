import type { ChoiceField } from '../../../../fields/field.ts'
import { type InputPlace, shown } from '../../../../fields/place.ts'

export const readChoice = ({ list }: ChoiceField, input: unknown, place: InputPlace): string | undefined =>
  typeof input === 'string' ? input : place.fault(`must be a word, not ${shown(input)}`, place.words(list))
