import type { RecordTypeName } from '../../farm/farm.ts'
import { type Condition, every, type Order, type OrderBy } from '../../storage/records/condition.ts'
import { markOf } from '../../storage/records/path.ts'
import { columnOf } from './column-conditions.ts'

/** By which field a list is sorted; undefined leaves it in its usual order. */
export interface Sorting {
  readonly path: string | undefined
  readonly direction: 'asc' | 'desc'
  /** Only whether it has this word counts, which stands last. */
  readonly yes?: string
  /** Some records have the field where who asks is not shown it: those count as without it. */
  readonly partlyHidden?: true
}

/** Without a wish by id, terms by weight first. */
export function orderBy(type: RecordTypeName, { path, direction, yes, partlyHidden }: Sorting): readonly Order[] {
  if (path === undefined) {
    const byId: Order = { by: { column: 'id' }, direction }
    return type === 'term' ? [{ by: { column: 'weight' }, direction }, byId] : [byId]
  }
  const column = columnOf(type, path)
  if (column === 'status' && yes !== undefined) return [{ by: { isStatus: yes }, direction }]
  if (column !== undefined) return [{ by: { column }, direction }]
  return [{ by: partlyHidden ? unlessMarked(path) : { facet: path }, direction }]
}

function unlessMarked(facet: string): OrderBy {
  const marked: Condition = { on: 'not', condition: { on: 'no-facet', field: markOf(facet) } }
  return {
    cases: [
      { when: marked, by: { key: '' } },
      { when: every, by: { facet } },
    ],
  }
}
