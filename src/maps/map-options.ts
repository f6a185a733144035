import { areaBundle } from '../farm/bundle-names.ts'
import type { Farm } from '../farm/farm.ts'
import { fieldsOfBundle, type OlderField, olderFields } from '../farm/fields-of.ts'
import { type Field, type FieldKind, type FieldOf, isWritable } from '../fields/field.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { plainRules } from '../fields/kinds.ts'
import { badQuery } from '../records/finding/filter.ts'
import { isBeside } from './map-features.ts'

/** What was said of how a map is to be taken in, as it was said. */
interface ImportWords {
  /** `name=NAME,type=KIND,parent=BLOCK`: which property says which field. */
  readonly map?: string | undefined
  readonly match?: string | undefined
  readonly far?: string | undefined
  readonly overwrite?: string | undefined
  readonly on_fault?: string | undefined
}

export const importWords = ['map', 'match', 'far', 'overwrite', 'on_fault'] as const

/** How a map is to be taken in. */
export interface MapOptions {
  /** The fields of areas that a map can say, by name. */
  readonly fields: ReadonlyMap<string, OlderField>
  /** All that areas show, also what nobody writes. */
  readonly known: readonly string[]
  /** The properties that a field is looked for in, the first that says something counts. */
  readonly sources: ReadonlyMap<string, readonly string[]>
  readonly match: 'uuid' | 'id' | 'name'
  /** Whether it may lie far away from all areas of the farm. */
  readonly far: 'refused' | 'ok'
  /** Whether it counts more than what has changed since it was exported. */
  readonly overwrite: boolean
  /** What becomes of the others where something is wrong with a feature. */
  readonly onFault: 'refuse' | 'skip'
}

const usual: Readonly<Record<string, readonly string[]>> = {
  name: ['name', 'Name', 'NAME', 'title', 'Title'],
  area_type: ['area_type', 'type', 'Type'],
  parent: ['parent', 'Parent'],
}

export function mapOptionsOf(farm: Farm, words: ImportWords): MapOptions {
  const type = farm.records.term
  const all = [...olderFields(fieldsOfBundle(type, areaBundle))]
  const fields = new Map(
    all.filter(([name, { field }]) => isWritable(field) && hasMapText(field) && !isBeside(type, name)),
  )
  return {
    fields,
    known: all.map(([name]) => name),
    sources: sourcesIn(fields, words.map),
    match: wordIn('match', words.match, ['uuid', 'id', 'name']),
    far: wordIn('far', words.far, ['refused', 'ok']),
    overwrite: wordIn('overwrite', words.overwrite, ['0', '1']) === '1',
    onFault: wordIn('on_fault', words.on_fault, ['refuse', 'skip']),
  }
}

function wordIn<const W extends string>(name: string, given: string | undefined, words: readonly [W, ...W[]]): W {
  if (given === undefined) return words[0]
  const word = words.find((one) => one === given)
  if (word === undefined) throw badQuery(name, `${JSON.stringify(given)} is not one of the words for it`, words)
  return word
}

/** The fields by shorter names. */
const shorter: Readonly<Record<string, string>> = { type: 'area_type' }

function sourcesIn(
  fields: ReadonlyMap<string, OlderField>,
  map: string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const sources = new Map([...fields.keys()].map((name) => [name, usual[name] ?? [name]]))
  const said = new Set<string>()
  for (const pair of (map ?? '').split(',').filter((one) => one.trim() !== '')) {
    const equals = pair.indexOf('=')
    const word = pair.slice(0, equals < 0 ? pair.length : equals).trim()
    const field = shorter[word] ?? word
    if (!sources.has(field) || equals < 0)
      throw badQuery('map', `${JSON.stringify(pair)} does not say which property a field is, such as name=NAME`, [
        ...Object.keys(shorter),
        ...fields.keys(),
      ])
    if (said.has(field)) throw badQuery('map', `${field} is said twice`)
    said.add(field)
    const property = pair.slice(equals + 1).trim()
    sources.set(field, property === '' ? [] : [property])
  }
  return sources
}

type MapText<K extends FieldKind> = (text: string, field: FieldOf<K>, farm: Farm) => unknown

/** What a text in a map is in JSON; undefined for kinds that no text in a map can stand for. */
const mapTexts: { readonly [K in FieldKind]: MapText<K> | undefined } = {
  ...plainRules('mapText'),
  choice: (text, { list }, farm) => wordFor(farm, list, text),
  reference: (text) => ({ name: text }),
  attachment: undefined,
  part: undefined,
}

const hasMapText = (field: Field): boolean => mapTexts[field.kind] !== undefined

/** What a text in a map says of a field, as JSON would have it. */
export const valueOfMapText = <K extends FieldKind>(field: FieldOf<K>, text: string, farm: Farm): unknown =>
  mapTexts[field.kind as K]?.(text, field, farm) ?? text

/** A word of a list, also by its label. */
function wordFor(farm: Farm, list: string, text: string): string {
  const key = trimmedTextKey(text)
  const words = farm.lists[list] ?? []
  return words.find(({ value, label }) => [value, label].some((one) => trimmedTextKey(one) === key))?.value ?? text
}
