import { shown } from './place.ts'

/** A whole number given as a number or as its digits; anything else, also `012` and `1e9` in quotes, is not one. */
export function wholeNumber(input: unknown): number | undefined {
  if (typeof input === 'string' && !/^(0|-?[1-9]\d{0,15})$/.test(input)) return undefined
  if (typeof input !== 'string' && typeof input !== 'number') return undefined
  const number = Number(input)
  return Number.isSafeInteger(number) ? number + 0 : undefined
}

const yes: readonly unknown[] = [true, 1, '1', 'true']
const no: readonly unknown[] = [false, 0, '0', 'false']

/** The ways to write yes and no that a query can have, too. */
export const yesNoWords: readonly string[] = ['1', '0', 'true', 'false']

export function yesOrNo(input: unknown): boolean | undefined {
  if (yes.includes(input)) return true
  return no.includes(input) ? false : undefined
}

/** The words for yes and no that a sheet can have. */
export const yesWords: readonly string[] = ['yes', 'y', 'true', '1', 'x', 'ja', 'wahr']
export const noWords: readonly string[] = ['no', 'n', 'false', '0', 'nein', 'falsch']

const form = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A UUID in lower case, as it is kept, whatever case it is written in; undefined for anything else. */
export function uuidIn(input: unknown): string | undefined {
  const uuid = typeof input === 'string' ? input.toLowerCase() : ''
  return form.test(uuid) ? uuid : undefined
}

/** Nil and max (RFC 9562, sections 5.9 and 5.10) stand for no thing. */
const nobodys = /^[0-]+$|^[f-]+$/

/** The fault of a client-generated UUID. */
export function faultOfNewUuid(input: unknown): string | undefined {
  const uuid = uuidIn(input)
  if (uuid === undefined) return `must be a UUID such as "0192f0c4-6a3e-4d21-9b1f-5a2c3d4e5f60", not ${shown(input)}`
  return nobodys.test(uuid) ? `${uuid} stands for nothing; make a random one` : undefined
}
