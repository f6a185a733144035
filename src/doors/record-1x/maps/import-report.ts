import type { Bounds } from '../../../fields/wkt/bounds.ts'
import { plainReference } from '../wire/spelling.ts'
import type { Imported } from './import-areas.ts'
import type { SentMap } from './sent-areas.ts'

/** What a map has become: how many of each, where they lie, what was left out, and each feature. */
export function importReport({ outcomes, leftOut }: Imported, map: SentMap, base: string) {
  const countOf = (wanted: string) => outcomes.filter(({ result }) => result === wanted).length
  return {
    counts: { created: countOf('created'), changed: countOf('changed'), unchanged: countOf('unchanged') },
    where: whereOf(map),
    left_out: leftOut.all,
    features: outcomes.map(({ node, name, result, id, uuid }) => ({
      ...(typeof node === 'number' ? { feature: node } : { parent: name }),
      result,
      name,
      ...plainReference(base, 'term', id),
      uuid,
    })),
  }
}

export type ImportReport = ReturnType<typeof importReport>

function whereOf({ areas }: SentMap) {
  let all: Bounds | undefined
  for (const { bounds } of areas) {
    if (bounds === undefined) continue
    all ??= bounds
    all = {
      left: Math.min(all.left, bounds.left),
      bottom: Math.min(all.bottom, bounds.bottom),
      right: Math.max(all.right, bounds.right),
      top: Math.max(all.top, bounds.top),
    }
  }
  return all === undefined ? null : { west: all.left, south: all.bottom, east: all.right, north: all.top }
}
