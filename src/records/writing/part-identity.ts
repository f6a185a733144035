import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '../../fields/field.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'

const none: Fields = {}

/** A part in the place of another: it stays that one, and keeps what its writer was not shown of it. */
export const withIdentity = (part: Values, before: PartValue | undefined, hidden: Fields = none): PartValue => ({
  uuid: before?.uuid ?? randomUUID(),
  ...part,
  ...(before === undefined ? {} : keptOf(before, part, hidden)),
})

/**
 * Parts that are as they were stay who they were, wherever they stand now; those that changed take what is left, in order. One that says
 * nothing can only be one of which nothing was shown.
 */
export function withIdentities(
  parts: readonly Values[],
  before: readonly PartValue[],
  hidden: Fields = none,
): readonly PartValue[] {
  const left = [...before]
  const unchanged = parts.map((part) => {
    const at = left.findIndex((old) => isDeepStrictEqual(seenOf(old, hidden), part))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return parts.flatMap((part, index) => {
    const old = unchanged[index]
    if (old === undefined && hidden !== none && Object.keys(part).length === 0) return []
    return [withIdentity(part, old ?? left.shift(), hidden)]
  })
}

type Members = Readonly<Record<string, Value | undefined>>

function seenOf({ uuid: _, ...old }: PartValue, hidden: Fields): Members {
  if (hidden === none) return old
  return Object.fromEntries(Object.entries(old).filter(([name]) => !Object.hasOwn(hidden, name)))
}

function keptOf(before: PartValue, part: Values, hidden: Fields): Values {
  const kept: Record<string, Value> = {}
  for (const name in hidden) {
    const value = before[name]
    const about = hidden[name]?.about
    if (value !== undefined && (about === undefined || isDeepStrictEqual(before[about], part[about])))
      kept[name] = value
  }
  return kept
}
