import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PartValue, Values } from '../../fields/value.ts'

export const withIdentity = (part: Values, before: PartValue | undefined): PartValue => ({
  uuid: before?.uuid ?? randomUUID(),
  ...part,
})

/** Parts that are as they were stay who they were, wherever they stand now; those that changed take what is left, in order. */
export function withIdentities(parts: readonly Values[], before: readonly PartValue[]): readonly PartValue[] {
  const left = [...before]
  const unchanged = parts.map((part) => {
    const at = left.findIndex(({ uuid: _, ...old }) => isDeepStrictEqual(old, part))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return parts.map((part, index) => withIdentity(part, unchanged[index] ?? left.shift()))
}
