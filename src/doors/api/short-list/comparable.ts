import type { Field } from '../../../fields/field.ts'
import { textKey, wholeKey } from '../../../fields/key.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { secondsIn } from '../values/time.ts'

/** The key of an attribute as it is spelled, or of what it is compared with; undefined where that is none of its kind. */
export function keyOfSpelled(field: Field, spelled: unknown): string | undefined {
  switch (field.kind) {
    case 'timestamp':
      return keyOfNumber(secondsIn(spelled) ?? secondsIn(`${spelled}T00:00:00Z`))
    case 'whole':
      return keyOfNumber(wholeNumber(spelled))
    case 'yes-no':
      return yesAndNo.get(String(spelled))
    default:
      return textKey(String(spelled))
  }
}

const keyOfNumber = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : wholeKey(number)

const yesAndNo: ReadonlyMap<string, string> = new Map([
  ['1', '1'],
  ['true', '1'],
  ['0', '0'],
  ['false', '0'],
])

/** Keys are ordered by their bytes. */
export const byKey = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
