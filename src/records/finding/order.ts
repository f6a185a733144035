import type { RecordTypeName } from '../../farm/farm.ts'
import type { Order } from '../../storage/records/condition.ts'
import { columnOf } from './column-conditions.ts'

/** By which field a list is sorted; undefined leaves it in its usual order. */
export interface Sorting {
  readonly path: string | undefined
  readonly direction: 'asc' | 'desc'
  /** Only whether it has this word counts, which stands last. */
  readonly yes?: string
}

/** Without a wish by id, terms by weight first. */
export function orderBy(type: RecordTypeName, { path, direction, yes }: Sorting): readonly Order[] {
  if (path === undefined) {
    const byId: Order = { by: { column: 'id' }, direction }
    return type === 'term' ? [{ by: { column: 'weight' }, direction }, byId] : [byId]
  }
  const column = columnOf(type, path)
  if (column === 'status' && yes !== undefined) return [{ by: { isStatus: yes }, direction }]
  return [{ by: column === undefined ? { facet: path } : { column }, direction }]
}
