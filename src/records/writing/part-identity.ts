import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '../../fields/field.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'

const none: Fields = {}

/** A part in the place of another: it stays that one, and keeps what its writer was not shown of it. */
export const withIdentity = (part: Values, before: PartValue | undefined, unseen: Fields = none): PartValue => ({
  uuid: before?.uuid ?? randomUUID(),
  ...part,
  ...(before === undefined ? {} : keptOf(before, part, unseen)),
})

/**
 * Parts that are as they were stay who they were, wherever they stand now; those that changed take what is left, in order. One that says
 * nothing can only be one of which nothing was shown.
 */
export function withIdentities(
  parts: readonly Values[],
  before: readonly PartValue[],
  unseen: Fields = none,
): readonly PartValue[] {
  const left = [...before]
  const unchanged = parts.map((part) => {
    const at = left.findIndex((old) => isDeepStrictEqual(seenOf(old, unseen), part))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return parts.flatMap((part, index) => {
    const old = unchanged[index]
    if (old === undefined && unseen !== none && Object.keys(part).length === 0) return []
    return [withIdentity(part, old ?? left.shift(), unseen)]
  })
}

type Members = Readonly<Record<string, Value | undefined>>

function seenOf({ uuid: _, ...old }: PartValue, unseen: Fields): Members {
  if (unseen === none) return old
  return Object.fromEntries(Object.entries(old).filter(([name]) => !Object.hasOwn(unseen, name)))
}

function keptOf(before: PartValue, part: Values, unseen: Fields): Values {
  const kept: Record<string, Value> = {}
  for (const name in unseen) {
    const value = before[name]
    const about = unseen[name]?.about
    if (value !== undefined && (about === undefined || isDeepStrictEqual(before[about], part[about])))
      kept[name] = value
  }
  return kept
}
