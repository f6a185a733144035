import { areaBundle } from '../farm/bundle-names.ts'
import type { Farm } from '../farm/farm.ts'
import { fieldsOfBundle, type OlderField, olderFields } from '../farm/fields-of.ts'
import { type Field, type FieldKind, type FieldOf, isWritable } from '../fields/field.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { plainRules } from '../fields/kinds.ts'
import { badQuery } from '../records/finding/filter.ts'
import { areaTypeMeant } from '../words/sheet-words.ts'
import { isBeside } from './map-features.ts'

/** Import options as the user sent them. */
interface ImportWords {
  /** `name=NAME,type=KIND,parent=BLOCK`: field to property. */
  readonly map?: string | undefined
  readonly match?: string | undefined
  readonly far?: string | undefined
  readonly overwrite?: string | undefined
  readonly on_fault?: string | undefined
  readonly tracks?: string | undefined
  /** The type of areas that say none. */
  readonly area_type?: string | undefined
  readonly shapes?: string | undefined
}

export const importWords = ['map', 'match', 'far', 'overwrite', 'on_fault', 'tracks', 'area_type', 'shapes'] as const

export interface MapOptions {
  /** Writable fields of areas, by name. */
  readonly fields: ReadonlyMap<string, OlderField>
  /** All fields of areas, also read-only ones. */
  readonly known: readonly string[]
  /** The properties of each field; the first with a value wins. */
  readonly sources: ReadonlyMap<string, readonly string[]>
  readonly match: 'uuid' | 'id' | 'name'
  /** Confirms a map far from all areas of the farm. */
  readonly far: 'refused' | 'ok'
  /** Overwrites areas that changed since the map was exported. */
  readonly overwrite: boolean
  /** Treatment of the other features if one has a fault. */
  readonly onFault: 'refuse' | 'skip'
  /** The shape of open tracks of GPX. */
  readonly tracks: 'area' | 'line' | undefined
  /** The type of areas that say none. */
  readonly areaType: string | undefined
  /** The answer shows the shape of each feature. */
  readonly shapes: 'left-out' | 'shown'
}

const usual: Readonly<Record<string, readonly string[]>> = {
  name: [
    ...['name', 'Name', 'NAME', 'title', 'Title', 'label', 'Label'],
    ...[
      'Schlag',
      'SCHLAG',
      'schlag',
      'Schlagname',
      'SCHLAGNAME',
      'SCHLAG_NAM',
      'schlagname',
      'SCHLAGBEZ',
      'Bezeichnung',
    ],
    ...['BEZEICHNUN', 'Feldname', 'field_name', 'FIELD_NAME', 'FieldName', 'Field', 'FIELD', 'Paddock', 'PADDOCK'],
    ...['nombre', 'Nombre', 'NOMBRE', 'parcela', 'Parcela', 'PARCELA'],
  ],
  area_type: [
    ...['area_type', 'type', 'Type', 'TYPE', 'Typ', 'TYP', 'Nutzung', 'NUTZUNG', 'Nutzungsart', 'KULTURART'],
    ...['landuse', 'land_use', 'LAND_USE', 'LandUse', 'uso', 'Uso', 'USO', 'tipo', 'Tipo', 'TIPO'],
  ],
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
    tracks: words.tracks === undefined ? undefined : wordIn('tracks', words.tracks, ['area', 'line']),
    areaType: areaTypeIn(farm, words.area_type),
    shapes: wordIn('shapes', words.shapes, ['0', '1']) === '1' ? 'shown' : 'left-out',
  }
}

function wordIn<const W extends string>(name: string, given: string | undefined, words: readonly [W, ...W[]]): W {
  if (given === undefined) return words[0]
  const word = words.find((one) => one === given)
  if (word === undefined) throw badQuery(name, `${JSON.stringify(given)} is not one of the words for it`, words)
  return word
}

function areaTypeIn(farm: Farm, given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined
  const types = (farm.lists.area_types ?? []).map(({ value }) => value)
  const word = wordFor(farm, 'area_types', given)
  if (!types.includes(word)) throw badQuery('area_type', `${JSON.stringify(given)} is not a type of area`, types)
  return word
}

/** Short names of fields. */
const shorter: Readonly<Record<string, string>> = { type: 'area_type' }

function sourcesIn(
  fields: ReadonlyMap<string, OlderField>,
  map: string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const sources = new Map([...fields.keys()].map((name) => [name, usual[name] ?? [name]]))
  const seen = new Set<string>()
  for (const pair of (map ?? '').split(',').filter((one) => one.trim() !== '')) {
    const equals = pair.indexOf('=')
    const word = pair.slice(0, equals < 0 ? pair.length : equals).trim()
    const field = shorter[word] ?? word
    if (!sources.has(field) || equals < 0)
      throw badQuery('map', `${JSON.stringify(pair)} does not say which property a field is, such as name=NAME`, [
        ...Object.keys(shorter),
        ...fields.keys(),
      ])
    if (seen.has(field)) throw badQuery('map', `${field} is given twice`)
    seen.add(field)
    const property = pair.slice(equals + 1).trim()
    sources.set(field, property === '' ? [] : [property])
  }
  return sources
}

type MapText<K extends FieldKind> = (text: string, field: FieldOf<K>, farm: Farm) => unknown

/** Turns a text of a map into JSON, by kind; undefined for kinds that a map cannot express. */
const mapTexts: { readonly [K in FieldKind]: MapText<K> | undefined } = {
  ...plainRules('mapText'),
  choice: (text, { list }, farm) => wordFor(farm, list, text),
  reference: (text) => ({ name: text }),
  attachment: undefined,
  part: undefined,
}

const hasMapText = (field: Field): boolean => mapTexts[field.kind] !== undefined

export const valueOfMapText = <K extends FieldKind>(field: FieldOf<K>, text: string, farm: Farm): unknown =>
  mapTexts[field.kind as K]?.(text, field, farm) ?? text

/** A value of a list, by its key or its label. */
function wordFor(farm: Farm, list: string, text: string): string {
  const key = trimmedTextKey(text)
  const words = farm.lists[list] ?? []
  const known = words.find(({ value, label }) => [value, label].some((one) => trimmedTextKey(one) === key))?.value
  const meant = known === undefined && list === 'area_types' ? areaTypeMeant(text) : undefined
  return known ?? (words.some(({ value }) => value === meant) ? meant : undefined) ?? text
}
