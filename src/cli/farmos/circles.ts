import type { Change } from './changes.ts'
import { idIn } from './kinds.ts'
import type { OtherFarm } from './reading.ts'

/** Terms and assets that are among those above them. */
export function circlesIn({ records }: Pick<OtherFarm, 'records'>): readonly Change[] {
  return (['term', 'asset'] as const).flatMap((type) => {
    const parents = new Map(
      [...records[type].all()].flatMap(([id, { parent }]) => {
        const above = Array.isArray(parent) ? parent.flatMap((one) => idIn(one) ?? []) : []
        return above.length === 0 ? [] : [[id, above] as const]
      }),
    )
    return [...parents.keys()]
      .filter((id) => isAbove(parents, id))
      .map((id) => ({ about: `${type} ${id}`, at: 'parent', case: 'circle' as const }))
  })
}

function isAbove(parents: ReadonlyMap<number, readonly number[]>, id: number): boolean {
  const seen = new Set<number>()
  const waiting = [...(parents.get(id) ?? [])]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one === id) return true
    if (seen.has(one)) continue
    seen.add(one)
    waiting.push(...(parents.get(one) ?? []))
  }
  return false
}
