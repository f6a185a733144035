import type { Farm } from '../../farm/farm.ts'
import { fieldsOf, olderWords } from '../../farm/fields-of.ts'
import { olderFields } from '../../farm/older-fields.ts'
import type { Fields } from '../../fields/field.ts'
import { isTree, type Tree } from '../../fields/place.ts'
import { bundleOf, vocabularyNames } from './description.ts'
import { readTypes } from './kinds.ts'
import { oneLine } from './plain-text.ts'
import type { OtherFarm } from './reading.ts'

/** Words of the other farm that closed lists of this one do not have, by list. */
export function foreignWords(farm: Farm, reading: OtherFarm): readonly (readonly [string, readonly string[]])[] {
  const found = new Map<string, Set<string>>()
  const names = vocabularyNames(reading)
  for (const type of readTypes) {
    for (const [, record] of reading.records[type].all()) {
      const { bundles } = farm.records[type]
      const name = bundleOf(type, record, names) ?? ''
      const bundle = Object.hasOwn(bundles, name) ? bundles[name] : undefined
      if (bundle === undefined) continue
      const fields = [...olderFields(fieldsOf(farm.records[type], bundle))].map(([name, { field }]) => [name, field])
      collect(Object.fromEntries(fields), record, found)
    }
  }
  const foreign = [...found].map(([list, words]) => {
    const known = new Set(olderWords(farm, list))
    return [list, [...words].filter((word) => !known.has(word)).sort()] as const
  })
  return foreign.filter(([, words]) => words.length > 0)
}

function collect(fields: Fields, tree: Tree, found: Map<string, Set<string>>): void {
  for (const [name, field] of Object.entries(fields)) {
    const items = [tree[name]].flat()
    if (field.kind === 'part') for (const item of items) if (isTree(item)) collect(field.fields, item, found)
    if (field.kind !== 'choice' || field.open) continue
    const words = found.get(field.list) ?? new Set()
    for (const item of items) if (typeof item === 'string' && item.trim() !== '') words.add(oneLine(item))
    found.set(field.list, words)
  }
}
