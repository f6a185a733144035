import type { RecordType } from '../../src/farm/farm.ts'
import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import { olderFields } from '../../src/farm/older-fields.ts'
import { type Field, isMany } from '../../src/fields/field.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { yesOrNo } from '../../src/fields/scalars.ts'
import { richTextFormat } from '../../src/fields/text.ts'
import { idIn } from './source-lists.ts'
import { type NoteFormat, toInput } from './source-values.ts'

/** A field of a record that does not say the same on both sides. */
export interface Difference {
  readonly field: string
  readonly theirs: string
  readonly ours: string
  readonly isComputed: boolean
  /** Whether there is nothing here. */
  readonly isMissing: boolean
}

interface Sides {
  readonly theirs: Tree
  readonly ours: Tree
  readonly bundle: string
  readonly texts: NoteFormat
}

/** Compares what two servers show of the same record, field by field. */
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

/** The same value in one form, whoever shows it; null for none. */
function canonical(field: Field, value: unknown): unknown {
  if (!isMany(field)) return canonicalOne(field, value)
  const items = Array.isArray(value) ? value : [value]
  const all = items.map((item) => canonicalOne(field, item)).filter((item) => item !== null)
  return all.length === 0 ? null : all
}

function canonicalOne(field: Field, value: unknown): unknown {
  if (field.kind === 'yes-no') return yesOrNo(value) === true ? true : null
  if (value === null || value === undefined || value === '') return null
  switch (field.kind) {
    case 'rich-text':
      return isTree(value) && value.value !== '' ? [value.value, value.format ?? richTextFormat] : null
    case 'reference':
    case 'attachment':
      return String(idIn(value) ?? JSON.stringify(value))
    case 'part': {
      const parts = Object.entries(field.fields).flatMap(([name, own]) => {
        const inside = isTree(value) ? canonical(own, value[name]) : null
        return inside === null ? [] : [[name, inside] as const]
      })
      return parts.length === 0 ? null : Object.fromEntries(parts)
    }
    case 'period':
      return isTree(value) && value.value != null ? `${value.value} ${value.value2}` : null
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}
