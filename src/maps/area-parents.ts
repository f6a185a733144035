import { areaBundle } from '../farm/bundle-names.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { valueLimits } from '../fields/limits.ts'
import { numberInName } from '../sheets/cells.ts'
import type { Snapshot } from '../storage/database.ts'
import { Pauses } from '../storage/pauses.ts'
import { allByKeys } from '../storage/records/term-rows.ts'
import type { MapFaults } from './map-faults.ts'
import type { MapOptions } from './map-options.ts'
import { plainText, type SentArea, textsIn } from './sent-map.ts'

/** A feature by its index, or an area to be made by its path of names. */
export type Node = number | string

/** The parent of an area: one still to be made, or an existing one. */
export type Parent = { readonly node: Node } | { readonly id: number }

/** An area made as a parent: a folder of the map, or a parent that features name and the farm does not have. */
interface ParentArea {
  readonly name: string
  readonly parents: readonly Parent[]
}

const pathOf = (names: readonly string[]): string => names.map(trimmedTextKey).join('/')

/** Resolves the parents of features: another feature, an area of the farm, or an area still to be made. */
export class Parents {
  readonly #wish: MapOptions
  readonly #faults: MapFaults
  readonly #inMap = new Map<string, number[]>()
  #onFarm: ReadonlyMap<string, readonly number[]> = new Map()
  /** Parents still to be made, outer before inner. */
  readonly unmade = new Map<string, ParentArea>()

  private constructor(wish: MapOptions, faults: MapFaults) {
    this.#wish = wish
    this.#faults = faults
  }

  static async among(
    snapshot: Snapshot,
    areas: readonly SentArea[],
    { wish, faults }: { readonly wish: MapOptions; readonly faults: MapFaults },
  ): Promise<Parents> {
    const parents = new Parents(wish, faults)
    const names = new Set<string>()
    const pauses = new Pauses()
    for (const area of areas) {
      await pauses.ifDue()
      const { said } = area
      const key = trimmedTextKey(plainText(said.get('name')?.text ?? ''))
      const namesakes = parents.#inMap.get(key)
      if (namesakes === undefined) parents.#inMap.set(key, [area.index])
      else namesakes.push(area.index)
      for (const name of textsIn(said.get('parent')?.text ?? '')) names.add(trimmedTextKey(name))
      for (const folder of area.folders) names.add(trimmedTextKey(folder))
    }
    parents.#onFarm = await allByKeys(snapshot, areaBundle, [...names])
    return parents
  }

  /** Undefined if the feature names no parent. */
  said(area: SentArea): readonly Parent[] | undefined {
    const parentText = area.said.get('parent')
    if (parentText === undefined) return undefined
    return textsIn(parentText.text).flatMap((name) => this.#named(name, area) ?? [])
  }

  /** The parent that the feature names, else its folder. */
  ofNew(area: SentArea): readonly Parent[] {
    const named = this.said(area)
    if (named !== undefined || this.#wish.sources.get('parent')?.length === 0) return named ?? []
    return this.#folder(area.folders, area.index)
  }

  #named(name: string, { index }: SentArea): Parent | undefined {
    const key = trimmedTextKey(name)
    const [feature, second] = (this.#inMap.get(key) ?? []).slice(0, 3).filter((one) => one !== index)
    const [id, ...others] = this.#onFarm.get(key) ?? []
    if (second !== undefined) return this.#several(index, [`features[${feature}]`, `features[${second}]`])
    if (feature !== undefined) return { node: feature }
    if (others.length > 0)
      return this.#several(
        index,
        [id, ...others].map((one) => `${name.trim()} #${one}`),
      )
    if (id !== undefined) return { id }
    // Names have a maximum length; a number after one adds little.
    const number = name.length > 2 * valueLimits.nameLength ? undefined : numberInName(name)
    return number === undefined ? this.#unmade([name], []) : { id: number.id }
  }

  #several(index: number, allowed: readonly string[]): undefined {
    this.#faults.add(index, { field: 'parent', message: 'is the name of several areas: say which one', allowed })
  }

  /** A folder of the same name as a feature in it is the folder of the others. */
  #folder(folders: readonly string[], self: number | undefined): readonly Parent[] {
    const name = folders.at(-1)
    if (name === undefined) return []
    const key = trimmedTextKey(name)
    const features = this.#inMap.get(key) ?? []
    if (self !== undefined && features.includes(self)) return this.#folder(folders.slice(0, -1), self)
    const [feature] = features
    if (feature !== undefined && features.length === 1) return [{ node: feature }]
    const [id] = this.#onFarm.get(key) ?? []
    if (id !== undefined) return [{ id }]
    return [this.#unmade(folders, this.#folder(folders.slice(0, -1), undefined))]
  }

  #unmade(names: readonly string[], parents: readonly Parent[]): Parent {
    const path = pathOf(names)
    if (!this.unmade.has(path)) this.unmade.set(path, { name: (names.at(-1) ?? '').trim(), parents })
    return { node: path }
  }
}

/** Areas to be made, each with its parents. */
export type NewAreas = ReadonlyMap<Node, readonly Parent[]>

/** Topological order: the first layer has no parent that is still to be made. The rest is a cycle. */
export function layersOf(wanted: NewAreas): {
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
