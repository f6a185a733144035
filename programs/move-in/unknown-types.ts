import type { Farm } from '../../src/farm/farm.ts'
import { fieldsOf, isOnlyNewer, olderFields, olderWords } from '../../src/farm/fields-of.ts'
import type { Fields } from '../../src/fields/field.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { printable } from '../../src/fields/text.ts'
import { Refusal } from '../../src/refusal.ts'
import type { MoveFinding } from './findings.ts'
import { bundleOf, describedBundles, type SourceType, sourceTypes, vocabularyNames } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import { hasContent, withLines } from './translation.ts'
import { oneLine } from './written-text.ts'

/** A log type, asset type or vocabulary, or a field of one, that this farm lacks. */
export interface UnknownType {
  readonly type: SourceType
  readonly bundle: string
  /** Undefined for the whole bundle. */
  readonly field?: string
  /** Number of records with it. */
  readonly records: number
}

const words: Readonly<Record<SourceType, string>> = { log: 'log type', asset: 'asset type', term: 'vocabulary' }

/** Types and fields of the source that this farm does not know. */
export function unknownTo(farm: Farm, reading: SourceFarm): readonly UnknownType[] {
  const names = vocabularyNames(reading)
  return sourceTypes.flatMap((type) => {
    const found = new Map<string, UnknownType>()
    const count = (what: Pick<UnknownType, 'bundle' | 'field'>, more: number) => {
      const key = JSON.stringify([what.bundle, what.field])
      found.set(key, { type, ...what, records: (found.get(key)?.records ?? 0) + more })
    }
    for (const [bundle, { fields }] of describedBundles(reading, type)) {
      const known = knownFields(farm, type, bundle)
      if (known === undefined) count({ bundle }, 0)
      for (const field of fields.keys()) if (known?.has(field) === false) count({ bundle, field }, 0)
    }
    for (const [, record] of reading.records[type].all()) {
      const bundle = bundleOf(type, record, names) ?? ''
      const known = knownFields(farm, type, bundle)
      if (known === undefined) count({ bundle }, 1)
      for (const [field, value] of Object.entries(record))
        if (known?.has(field) === false && hasContent(field, value)) count({ bundle, field }, 1)
    }
    return [...found.values()]
  })
}

/** The fields of a bundle here, by the source's names. */
function knownFields(farm: Farm, type: SourceType, name: string): { has(field: string): boolean } | undefined {
  const { bundles } = farm.records[type]
  const bundle = Object.hasOwn(bundles, name) ? bundles[name] : undefined
  if (bundle === undefined || isOnlyNewer(bundle)) return bundle && olderFields(fieldsOf(farm.records[type], bundle))
  return olderFields(fieldsOf(farm.records[type], bundle))
}

/** Refuses to leave records behind. */
export function refuseUnknown(unknown: readonly UnknownType[], advice: string): void {
  const used = unknown.filter(({ records }) => records > 0)
  if (used.length === 0) return
  throw new Refusal(
    'invalid-content',
    `This farm does not know ${used.length === 1 ? 'this' : 'these'} of the other one, and nothing was changed. ${advice}`,
    {
      faults: used.map(({ type, bundle, field, records }) => ({
        field: printable(field === undefined ? `${words[type]} ${bundle}` : `field ${field} of ${bundle}`),
        message: `${records.toLocaleString('en')} ${records === 1 ? 'record has' : 'records have'} it`,
      })),
    },
  )
}

/** The type here of records whose own type is unknown. */
const knownBundles: Readonly<Record<SourceType, string>> = {
  log: 'farm_activity',
  asset: 'equipment',
  term: 'farm_log_categories',
}

/** Shows records of unknown types as those of a known one, and unknown fields as text among the data. */
export function showAsKnown(farm: Farm, reading: SourceFarm): readonly MoveFinding[] {
  const unknown = unknownTo(farm, reading).filter(({ records }) => records > 0)
  const names = vocabularyNames(reading)
  const [vocabulary] = [...names].find(([, name]) => name === knownBundles.term) ?? []
  for (const type of sourceTypes) {
    if (!unknown.some((one) => one.type === type)) continue
    reading.records[type].showAs((tree) => {
      const bundle = bundleOf(type, tree, names) ?? ''
      const own = knownFields(farm, type, bundle)
      const fields = own ?? knownFields(farm, type, knownBundles[type])
      const strange = Object.entries(tree).filter(([name, value]) => hasContent(name, value) && !fields?.has(name))
      if (own !== undefined && strange.length === 0) return tree
      const kept = Object.fromEntries(Object.entries(tree).filter(([name]) => !strange.some(([one]) => one === name)))
      const lines = [
        ...(own === undefined ? [`type: ${bundle}`] : []),
        ...strange.map(([name, value]) => lineOf(name, value)),
      ]
      const as = type === 'term' ? { vocabulary: { id: vocabulary } } : { type: knownBundles[type] }
      const text = type === 'term' ? 'description' : 'data'
      return { ...kept, ...(own === undefined ? as : {}), [text]: withLines(tree[text], lines) }
    })
  }
  return unknown.map(findingOfUnknown)
}

export const lineOf = (name: string, value: unknown): string =>
  `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`

export const findingOfUnknown = ({ type, bundle, field, records }: UnknownType): MoveFinding => ({
  kind: 'changed',
  why: field === undefined ? 'unknown-type' : 'unknown-field',
  sentence: printable(
    `${field === undefined ? `${words[type]} ${bundle}` : `field ${field} of ${bundle}`} is not known here: ${records} ${records === 1 ? 'record has' : 'records have'} it as text`,
  ),
})

/** Words of the source that closed lists here lack, by list. */
export function foreignWords(farm: Farm, reading: SourceFarm): readonly (readonly [string, readonly string[]])[] {
  const found = new Map<string, Set<string>>()
  const names = vocabularyNames(reading)
  for (const type of sourceTypes) {
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
