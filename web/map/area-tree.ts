import { computed } from '@preact/signals'
import { type DrawnKind, kindOf } from '../look/place/area-kind.ts'
import { areas } from '../store/local-copy.ts'
import { idsIn, isArchived, type LocalRecord } from '../store/record.ts'

export interface AreaTree {
  readonly byId: ReadonlyMap<string, LocalRecord>
  readonly roots: readonly LocalRecord[]
  readonly below: (id: string) => readonly LocalRecord[]
  readonly parentOf: (id: string) => string | undefined
}

export const areaTree = computed(() => treeOf(areas().filter((area) => !isArchived(area))))

/** Areas with a missing parent, or in a cycle, become roots. */
export function treeOf(all: readonly LocalRecord[]): AreaTree {
  const byId = new Map(all.map((area) => [area.id, area]))
  const parents = new Map(all.map((area) => [area.id, idsIn(area.fields.parent).find((id) => byId.has(id))]))
  const lists = new Map<string, LocalRecord[]>()
  const roots: LocalRecord[] = []
  for (const area of all) {
    const parent = isInCircle(parents, area.id) ? undefined : parents.get(area.id)
    const list = parent === undefined ? roots : (lists.get(parent) ?? [])
    if (parent !== undefined) lists.set(parent, list)
    list.push(area)
  }
  return { byId, roots, below: (id) => lists.get(id) ?? none, parentOf: (id) => parents.get(id) }
}

/** Depth limit: a deeper chain is a cycle. */
const deepest = 100

function isInCircle(parents: ReadonlyMap<string, string | undefined>, id: string): boolean {
  let depth = 0
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) if (++depth > deepest) return true
  return false
}

const names = new Intl.Collator(undefined, { numeric: true })
const listed = [
  'property',
  'paddock',
  'field',
  'greenhouse',
  'bed',
  'building',
  'water',
  'landmark',
  'other',
] satisfies DrawnKind[]

const none: readonly LocalRecord[] = []
const ordered = new WeakMap<readonly LocalRecord[], readonly LocalRecord[]>()

/** Sorts by type, then by name with numbers: North 2 before North 10. Only visible lists need it. */
export function inOrder(areas: readonly LocalRecord[]): readonly LocalRecord[] {
  const known = ordered.get(areas) ?? byKindAndName(areas)
  ordered.set(areas, known)
  return known
}

function byKindAndName(areas: readonly LocalRecord[]): readonly LocalRecord[] {
  return areas
    .map((area) => ({ area, order: listed.indexOf(kindOf(area)) }))
    .sort((one, other) => one.order - other.order || names.compare(one.area.name, other.area.name))
    .map(({ area }) => area)
}
