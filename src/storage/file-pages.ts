import type { Snapshot } from './database.ts'
import type { StoredFile } from './file-rows.ts'
import type { ValueTest } from './records/condition.ts'
import { always, never, passes } from './records/value-test-sql.ts'
import { ask, type Fragment, fragment, joined, word } from './sql/fragment.ts'

/** Properties for filtering and sorting files. */
export type FileProperty =
  | 'id'
  | 'uuid'
  | 'name_key'
  | 'mime'
  | 'size'
  | 'created'
  | 'changed'
  | 'uid'
  | 'uri_key'
  | 'is_used'
  | 'language'

const properties: Readonly<Record<FileProperty, Fragment>> = {
  id: word('id'),
  uuid: word('uuid'),
  name_key: word('name_key'),
  mime: word('mime'),
  size: word('size'),
  created: word('created'),
  changed: word('coalesce(changed, created)'),
  uid: word('uid'),
  uri_key: word("('private://' || id || '/' || name_key)"),
  is_used: word('(case when unused_since is null then 1 else 0 end)'),
  language: word("cast('en' as text)"),
}

export type FileCondition =
  | { readonly on: FileProperty; readonly test: ValueTest }
  | { readonly on: 'all' | 'either'; readonly conditions: readonly FileCondition[] }

export interface FileOrder {
  readonly by: FileProperty
  readonly direction: 'asc' | 'desc'
}

interface FileSearch {
  readonly condition: FileCondition
  /** The id settles ties. */
  readonly order: readonly FileOrder[]
  /** The caller: only the sender sees uploads for a future record. */
  readonly seenBy: number
  readonly offset: number
  readonly limit: number
}

/** A page of the files that an account may know of. */
export function fileSlice(snapshot: Snapshot, search: FileSearch): Promise<readonly StoredFile[]> {
  const { condition, order, seenBy, offset, limit } = search
  const keys = order.map(({ by, direction }) => fragment`${properties[by]} ${word(direction)}`)
  return ask<StoredFile>(
    snapshot,
    fragment`select * from file where (unused_since is null or (last_type is null and uid = ${seenBy})) and ${conditionSql(condition)}
      order by ${joined([...keys, word('id')], ', ')} limit ${limit} offset ${offset}`,
  )
}

function conditionSql(condition: FileCondition): Fragment {
  if ('test' in condition) return passes(properties[condition.on], condition.test)
  const { on, conditions } = condition
  if (conditions.length === 0) return on === 'all' ? always : never
  return fragment`(${joined(conditions.map(conditionSql), on === 'all' ? ' and ' : ' or ')})`
}
