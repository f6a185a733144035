import type { RecordType } from '../../src/farm/farm.ts'
import { fieldsOfBundle, olderFields } from '../../src/farm/fields-of.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { idIn } from './source-lists.ts'
import { canonical, type NoteFormat, toInput } from './source-values.ts'

/** A field that differs between both sides. */
export interface Difference {
  readonly field: string
  readonly theirs: string
  readonly ours: string
  readonly isComputed: boolean
  /** True if the value is missing here. */
  readonly isMissing: boolean
}

interface Sides {
  readonly theirs: Tree
  readonly ours: Tree
  readonly bundle: string
  readonly texts: NoteFormat
}

/** Compares one record of both servers, field by field. */
export function differencesOf(type: RecordType, { theirs, ours, bundle, texts }: Sides): readonly Difference[] {
  const found: Difference[] = []
  const compare = (field: string, pair: readonly [unknown, unknown], isComputed: boolean) => {
    const [there, here] = pair.map((value) => JSON.stringify(value ?? null)) as [string, string]
    if (there !== here) found.push({ field, theirs: there, ours: here, isComputed, isMissing: here === 'null' })
  }
  for (const name of ['uid', type.bundleName, 'created', 'changed']) {
    if (theirs[name] === undefined) continue
    compare(name, [asId(theirs[name]), asId(ours[name])], false)
  }
  for (const [name, { field }] of olderFields(fieldsOfBundle(type, bundle))) {
    if (theirs[name] === undefined || noted.has(name)) continue
    const there = canonical(field, toInput(field, theirs[name], texts))
    const here = canonical(field, toInput(field, ours[name], 'html'))
    const isSet = field.computed === 'contents'
    compare(name, isSet ? [sorted(there), sorted(here)] : [there, here], field.computed !== undefined)
  }
  return found
}

const noted = new Set(['id', 'tid', 'uid', 'type', 'vocabulary', 'created', 'changed'])

const asId = (value: unknown): string => String(idIn(value) ?? (isTree(value) ? value.id : value))

const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value)
