import type { Farm, RecordType } from '../../../farm/farm.ts'
import { asOlderFields, fieldsOf, type OlderPart, olderWords, recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import {
  type Field,
  type FieldKind,
  type FieldOf,
  type Fields,
  isMany,
  isWritable,
  namesWhere,
  type ReferableType,
} from '../../../fields/field.ts'
import { plainRules } from '../../../fields/kinds.ts'
import { valueLimits } from '../../../fields/limits.ts'
import { notLookedAt } from '../../../wire-1x/record-draft.ts'
import { described, listOf, nullable, objectOf, type Schema, schemaRef } from '../../http/openapi.ts'

export interface DescribedCatalogue {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<string, number>
}

type Schemas = Record<string, Schema>

/** Every bundle as it is read, written anew and changed, and each record type as one of its bundles. */
export function recordSchemas(catalogue: DescribedCatalogue): Schemas {
  const parts = namedParts(catalogue.farm)
  const describing: SchemaContext = {
    farm: catalogue.farm,
    partName: (part) => parts.get(part.fields)?.name ?? 'Part',
  }
  const ofParts = [...parts].flatMap(([fields, { name, isGiven, requested }]) => [
    [name, partShown({ ...fields, ...requested }, describing)],
    ...(isGiven ? [[`${name}_given`, partGiven({ ...fields, ...requested }, describing)]] : []),
  ])
  const ofTypes = recordTypeNames.flatMap((name) => Object.entries(typeSchemas(name, catalogue, describing)))
  return Object.fromEntries([...ofParts, ...ofTypes])
}

interface NamedPart {
  readonly name: string
  /** False for a computed part: nobody sends it. */
  readonly isGiven: boolean
  /** Its fields that are shown only on request. */
  readonly requested: Fields
}

/** The fields of a part that several bundles have are described once, under its field's name. */
function namedParts(farm: Farm): Map<Fields, NamedPart> {
  const names = new Map<Fields, NamedPart>()
  for (const type of recordTypeNames) {
    for (const [bundleName, bundle] of Object.entries(farm.records[type].bundles)) {
      nameParts(names, asOlderFields(fieldsOf(farm.records[type], bundle)), `${resourceNames[type]}_${bundleName}`)
    }
  }
  return names
}

/** A part of a module may have parts itself. */
function nameParts(names: Map<Fields, NamedPart>, fields: Fields, within: string): void {
  for (const [fieldName, field] of Object.entries(fields)) {
    if (field.kind !== 'part' || names.has(field.fields)) continue
    const isTaken = [...names.values()].some(({ name }) => name === `part_${fieldName}`)
    const name = isTaken ? `part_${within}_${fieldName}` : `part_${fieldName}`
    const { requested = {} }: OlderPart = field
    names.set(field.fields, { name, isGiven: isWritable(field), requested })
    nameParts(names, field.fields, `${within}_${fieldName}`)
  }
}

const partShown = (fields: Fields, describing: SchemaContext): Schema =>
  objectOf({
    properties: mapped(fields, (field) => shownSchema(field, describing)),
    required: namesWhere(fields, isAlwaysShown),
  })

const partGiven = (fields: Fields, describing: SchemaContext): Schema =>
  objectOf({ properties: mapped(fields, (field) => givenSchema(field, describing)) })

/** An empty single reference is left out, and what is shown on request is there for those who ask. */
const isAlwaysShown = (field: Field): boolean =>
  !field.onRequest && (field.kind !== 'reference' || isMany(field) || field.required === true)

const mapped = (fields: Fields, schemaOf: (field: Field) => Schema): Schemas =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, described(field.label, schemaOf(field))]))

function typeSchemas(
  typeName: keyof Farm['records'],
  catalogue: DescribedCatalogue,
  describing: SchemaContext,
): Schemas {
  const type: RecordType = catalogue.farm.records[typeName]
  const name = resourceNames[typeName]
  const bundles = Object.keys(type.bundles)
  const schemas: Schemas = {
    [name]: unionOf(type, ''),
    [`${name}_new`]: unionOf(type, '_new'),
    [`${name}_change`]: { anyOf: bundles.map((bundle) => schemaRef(`${name}_${bundle}_change`)) },
  }
  for (const bundle of bundles) {
    const fields = asOlderFields(fieldsOf(type, type.bundles[bundle] ?? { label: '', plural: '', fields: {} }))
    const own = { type, bundle, fields, label: type.bundles[bundle]?.label ?? bundle }
    schemas[`${name}_${bundle}`] = recordShown(own, catalogue, describing)
    schemas[`${name}_${bundle}_change`] = recordChange(own, catalogue, describing)
    schemas[`${name}_${bundle}_new`] = recordNew(own, catalogue)
  }
  return schemas
}

/** Logs and assets name their type; a term names its vocabulary inside a reference, where no discriminator looks. */
function unionOf({ name: type, bundles, bundleName }: RecordType, suffix: string): Schema {
  const name = resourceNames[type]
  const names = Object.keys(bundles)
  const oneOf = names.map((bundle) => schemaRef(`${name}_${bundle}${suffix}`))
  if (bundleName !== 'type') return { anyOf: oneOf }
  const mapping = Object.fromEntries(names.map((bundle) => [bundle, `#/components/schemas/${name}_${bundle}${suffix}`]))
  return { oneOf, discriminator: { propertyName: 'type', mapping } }
}

interface Own {
  readonly type: RecordType
  readonly bundle: string
  readonly fields: Fields
  readonly label: string
}

function recordShown(
  { type, bundle, fields, label }: Own,
  catalogue: DescribedCatalogue,
  describing: SchemaContext,
): Schema {
  const address: Schema = { type: 'string', format: 'uri' }
  const isTerm = type.name === 'term'
  const noted: Schemas = {
    [type.idName]: schemaRef('Id'),
    [type.bundleName]: isTerm ? vocabularyShown(catalogue, bundle) : { type: 'string', const: bundle },
    ...(fields.name ? { name: { type: 'string' } } : {}),
    ...(isTerm ? { id: schemaRef('Id'), parents_all: listOf(schemaRef('Reference')) } : {}),
    ...(fields.uid ? { uid: schemaRef('Reference') } : {}),
    url: address,
  }
  const created: Schemas = {
    uri: described('In the answer to a create', address),
    resource: { type: 'string', const: resourceNames[type.name] },
    uuid: described('Where it is asked for by with', schemaRef('Uuid')),
    version: described('Where it is asked for by with', schemaRef('Version')),
  }
  const shown = namesWhere(fields, isAlwaysShown)
  return {
    ...objectOf({
      properties: { ...mapped(fields, (field) => shownSchema(field, describing)), ...noted, ...created },
      required: [...new Set([...shown, ...Object.keys(noted)])],
    }),
    title: label,
    xml: { name: resourceNames[type.name] },
  }
}

const vocabularyShown = ({ vocabularies }: DescribedCatalogue, bundle: string): Schema =>
  objectOf({
    properties: {
      uri: { type: 'string', format: 'uri' },
      id: { type: 'string', const: String(vocabularies.get(bundle)) },
      resource: { type: 'string', const: resourceNames.vocabulary },
    },
    required: ['uri', 'id', 'resource'],
  })

function recordChange(
  { type, bundle, fields, label }: Own,
  catalogue: DescribedCatalogue,
  describing: SchemaContext,
): Schema {
  const written = Object.fromEntries(Object.entries(fields).filter(([, field]) => isWritable(field)))
  return {
    ...objectOf({
      properties: {
        ...Object.fromEntries(notLookedAt.map((name) => [name, { description: 'Not looked at' }])),
        ...mapped(written, (field) => givenSchema(field, describing)),
        [type.bundleName]: bundleGiven(type, bundle, catalogue),
        uuid: described(
          'Of a new record the one that it is to have; of another its own, or nothing',
          schemaRef('Uuid'),
        ),
      },
    }),
    title: `${label}, as it is changed`,
    xml: { name: resourceNames[type.name] },
  }
}

function bundleGiven({ bundleName }: RecordType, bundle: string, { vocabularies }: DescribedCatalogue): Schema {
  if (bundleName === 'type') return { type: 'string', const: bundle }
  const vid = vocabularies.get(bundle)
  const number: Schema = { enum: [String(vid), vid] }
  return {
    anyOf: [number, { const: bundle }, { type: 'object', properties: { id: number }, required: ['id'] }],
    description: 'The number of the vocabulary, or its machine name',
  }
}

const recordNew = ({ type, bundle, fields, label }: Own, catalogue: DescribedCatalogue): Schema => ({
  allOf: [schemaRef(`${resourceNames[type.name]}_${bundle}_change`)],
  properties: { [type.bundleName]: bundleGiven(type, bundle, catalogue) },
  required: namesWhere(fields, ({ required }) => required === true),
  title: `${label}, as it is created`,
})

interface SchemaContext {
  readonly farm: Farm
  /** The component under which a part is described. */
  partName(part: FieldOf<'part'>): string
}

/** One value of each kind, as an answer has it and as a writer is advised to give it; a text is the name of a component. */
interface ValueSchemas<K extends FieldKind> {
  readonly shown: (field: FieldOf<K>, describing: SchemaContext) => string | Schema
  readonly given: (field: FieldOf<K>, describing: SchemaContext) => string | Schema
  /** The spelling of an empty field; undefined leaves it out. */
  readonly none: (field: FieldOf<K>) => unknown
}

const schemas: { readonly [K in FieldKind]: ValueSchemas<K> } = {
  ...plainRules('older'),
  choice: {
    shown: (field, { farm }) => shownWord(field, farm),
    given: (field, { farm }) => word(field, farm, olderWords(farm, field.list)),
    none: () => null,
  },
  reference: {
    shown: () => 'Reference',
    given: ({ to }) => referenceNames[to] ?? 'GivenReference',
    none: () => undefined,
  },
  attachment: { shown: () => 'File', given: () => 'GivenFile', none: () => [] },
  part: {
    shown: (field, { partName }) => partName(field),
    given: (field, { partName }) => `${partName(field)}_given`,
    none: () => undefined,
  },
}

const word = ({ open, list }: FieldOf<'choice'>, farm: Farm, words: readonly string[]): Schema =>
  open
    ? { type: 'string', minLength: 1, maxLength: valueLimits.flagLength, examples: olderWords(farm, list) }
    : { type: 'string', enum: words }

/** Words written by /api are shown even if 1.x does not have them. */
const shownWord = (field: FieldOf<'choice'>, farm: Farm): Schema =>
  word(field, farm, farm.lists[field.list]?.map(({ value }) => value) ?? [])

const referenceNames: Readonly<Partial<Record<ReferableType, string>>> = {
  term: 'GivenTermReference',
  user: 'GivenUserReference',
  vocabulary: 'GivenUserReference',
}

const named = (schema: string | Schema): Schema => (typeof schema === 'string' ? schemaRef(schema) : schema)

/** A value in an answer, or the spelling of none. */
function shownSchema<K extends FieldKind>(field: FieldOf<K>, describing: SchemaContext): Schema {
  const { shown, none } = schemas[field.kind as K]
  const one = named(shown(field, describing))
  if (isMany(field)) return listOf(one)
  const empty = none(field)
  if (Array.isArray(empty)) return { anyOf: [one, schemaRef('EmptyList')] }
  return empty === null ? nullable(one) : one
}

/** Null empties a field, so it is for those that may be empty. */
function givenSchema<K extends FieldKind>(field: FieldOf<K>, describing: SchemaContext): Schema {
  const one = named(schemas[field.kind as K].given(field, describing))
  const value = isMany(field) ? listOf(one) : one
  return field.required ? value : nullable(value)
}
