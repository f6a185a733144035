import { nameOfCharacter, uncarriable } from '../fields/text.ts'
import { limits } from '../limits.ts'
import { Refusal } from '../refusal.ts'

/** One `name[bracket]…=value` of a query. */
export interface QueryEntry {
  readonly name: string
  readonly brackets: readonly string[]
  readonly value: string
}

/** The entries of a query in order. It knows no fields. */
export function readQuery(rawUrl: string): QueryEntry[] {
  const start = rawUrl.indexOf('?')
  if (start < 0) return []
  const segments = rawUrl
    .slice(start + 1)
    .split('&')
    .filter((segment) => segment !== '')
  if (segments.length > limits.queryValues) {
    throw new Refusal('bad-query', `A query may have ${limits.queryValues} values, this one has ${segments.length}.`)
  }
  return segments.map(entryOf)
}

/** The first value of that name. */
export const valueInQuery = (rawUrl: string, name: string): string | undefined =>
  readQuery(rawUrl).find((entry) => entry.name === name)?.value

function entryOf(segment: string): QueryEntry {
  const equals = segment.indexOf('=')
  const rawName = equals < 0 ? segment : segment.slice(0, equals)
  const wholeName = decodedPart(rawName)
  if (wholeName === null) throw unreadableParameter(rawName, 'its name is not properly percent-encoded UTF-8')
  const [, name, tail = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(wholeName) ?? []
  if (name === undefined) throw unreadableParameter(wholeName, 'a name and then brackets in pairs were expected')
  const value = decodedPart(equals < 0 ? '' : segment.slice(equals + 1))
  if (value === null) throw unreadableParameter(wholeName, 'its value is not properly percent-encoded UTF-8')
  const strange = uncarriable.exec(wholeName + value)
  if (strange) throw unreadableParameter(wholeName, `the character ${nameOfCharacter(strange[0])} cannot be asked for`)
  return { name, brackets: tail === '' ? [] : bracketsIn(tail), value }
}

function bracketsIn(tail: string): readonly string[] {
  return [...tail.matchAll(/\[([^\]]*)\]/g)].map(([, inside = '']) => inside)
}

function unreadableParameter(parameter: string, reason: string): Refusal {
  const message = `The parameter "${parameter}" could not be understood: ${reason}.`
  return new Refusal('bad-query', message, { faults: [{ field: parameter, message }] })
}

/** Decodes a percent-encoded part of a query or form, with `+` as a space; null if it is not valid UTF-8. */
export function decodedPart(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** The same, but invalid text is kept as it is: some clients do not encode values. */
export function decodedOrAsItStands(part: string): string {
  const plain = part.replaceAll('+', ' ')
  return plain.replace(/(?:%[\da-f]{2})+/gi, (encoded) => decodedPart(encoded) ?? encoded)
}
