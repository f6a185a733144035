import type { GeometryBounds } from '../../../fields/wkt/bounds.ts'
import { plainReference } from '../wire/spelling.ts'
import type { Imported } from './import-areas.ts'
import { plainText } from './said.ts'
import type { SentMap } from './sent-areas.ts'

/** What a map has become: how many of each, where they lie, what was left out, and each feature. */
export function importReport({ outcomes, refused, leftOut }: Imported, map: SentMap, base: string) {
  const countOf = (wanted: string) => outcomes.filter(({ result }) => result === wanted).length
  return {
    counts: {
      created: countOf('created'),
      changed: countOf('changed'),
      unchanged: countOf('unchanged'),
      ...(refused.size === 0 ? {} : { fault: refused.size }),
    },
    where: whereOf(map, refused),
    left_out: leftOut.all,
    features: [
      ...outcomes.map(({ node, name, result, id, uuid, isNamed }) => ({
        ...(typeof node === 'number' ? { feature: node } : { parent: name }),
        result,
        name,
        ...(isNamed ? { named: true } : {}),
        ...plainReference(base, 'term', id),
        uuid,
      })),
      ...[...refused].slice(0, mostFaultsTold).map(([feature, faults]) => ({
        ...{ feature, result: 'fault' as const, faults },
        name: plainText(map.areas[feature]?.said.get('name')?.text ?? ''),
      })),
    ],
  }
}

/** Features with faults beyond these are counted, and not told. */
const mostFaultsTold = 1_000

export type ImportReport = ReturnType<typeof importReport>

function whereOf({ areas }: SentMap, refused: Imported['refused']) {
  let all: GeometryBounds | undefined
  for (const { index, bounds } of areas) {
    if (bounds === undefined || refused.has(index)) continue
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
