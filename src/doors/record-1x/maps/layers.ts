import type { Node, Parent } from './parents.ts'

/** What is to be made, and what each lies in. */
export type Wanted = ReadonlyMap<Node, readonly Parent[]>

/** In an order in which each can be made: the first lie in nothing that is yet to be made. What is left lies in itself. */
export function layersOf(wanted: Wanted): {
  readonly layers: readonly (readonly Node[])[]
  readonly left: readonly Node[]
} {
  const inside = new Map<Node, Node[]>()
  const waitsFor = new Map<Node, number>()
  for (const [node, parents] of wanted) {
    const above = new Set(
      parents.flatMap((parent) => ('node' in parent && wanted.has(parent.node) ? [parent.node] : [])),
    )
    waitsFor.set(node, above.size)
    for (const parent of above) {
      const others = inside.get(parent)
      if (others === undefined) inside.set(parent, [node])
      else others.push(node)
    }
  }
  const layers: (readonly Node[])[] = []
  let layer = [...waitsFor].flatMap(([node, count]) => (count === 0 ? [node] : []))
  while (layer.length > 0) {
    layers.push(layer)
    const next: Node[] = []
    for (const node of layer) {
      for (const below of inside.get(node) ?? []) {
        const count = (waitsFor.get(below) ?? 0) - 1
        waitsFor.set(below, count)
        if (count === 0) next.push(below)
      }
    }
    layer = next
  }
  return { layers, left: [...waitsFor].flatMap(([node, count]) => (count > 0 ? [node] : [])) }
}
