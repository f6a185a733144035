import type { Choice, Farm } from '../../../farm/farm.ts'
import { wordsOfKind } from '../../../farm/newer/area-assets.ts'
import { partMembers } from '../../../farm/newer/members.ts'
import { isRelationship } from '../../../farm/newer/resource-type.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { type FieldKind, type FieldOf, isMany } from '../../../fields/field.ts'
import { plainRules } from '../../../fields/kinds.ts'
import type { Schema } from '../../http/openapi.ts'
import { addressOf } from '../documents/resource-object.ts'
import type { DescribedMember, DescribedType } from './described-type.ts'

export const dialect = 'https://json-schema.org/draft/2019-09/hyper-schema'
export const jsonApiSchema = 'https://jsonapi.org/schema'

/**
 * The schema of a resource. Its definitions have the form that clients read: one type per member, and required members
 * for writers. Answers meet the same schema, but may have fewer members, and nulls.
 */
export function resourceSchema(farm: Farm, type: DescribedType, base: string): Schema {
  const attributes = type.members.filter((member) => !isRelationship(member))
  const relationships = type.members.filter(isRelationship)
  return {
    $schema: dialect,
    $id: addressOf(base, type.name, 'resource', 'schema'),
    title: type.title,
    allOf: [
      {
        type: 'object',
        properties: {
          type: { $ref: '#/definitions/type' },
          attributes: only(attributes, shownAttribute),
          relationships: only(relationships, shownRelationship),
        },
      },
      { $ref: `${jsonApiSchema}#/definitions/resource` },
    ],
    definitions: {
      type: { const: type.name },
      attributes: withRequired(
        attributes,
        only(attributes, (member) => attributeSchema(farm, type, member)),
      ),
      relationships: withRequired(relationships, only(relationships, relationshipSchema)),
    },
  }
}

/**
 * A resource as it is answered, for the description of the interface: any of its members may be left out on request. Relationships tell
 * what they may lead to.
 */
export function answeredResource(farm: Farm, type: DescribedType): Schema {
  const attributes = type.members.filter((member) => !isRelationship(member))
  const relationships = type.members.filter(isRelationship)
  const described = (member: DescribedMember) => attributeSchema(farm, type, member)
  const shown = (member: DescribedMember): Schema =>
    isAlwaysThere(member)
      ? described(member)
      : { anyOf: [none, ...(spelledOtherwise(member, described(member)) ?? [described(member)])] }
  const linked = ({ field, ...member }: DescribedMember): Schema => {
    const identifier = { anyOf: [identifierSchema({ field, ...member }), gone] }
    const data = isMany(field) ? { type: 'array', items: identifier } : { anyOf: [none, ...identifier.anyOf] }
    return { type: 'object', title: field.label, properties: { data, links: { type: 'object' } }, required: ['data'] }
  }
  return {
    type: 'object',
    title: type.title,
    properties: {
      type: { const: type.name },
      id: { type: 'string', format: 'uuid' },
      links: { type: 'object' },
      attributes: only(attributes, shown),
      relationships: only(relationships, linked),
    },
    required: ['type', 'id', 'links', 'attributes'],
  }
}

const only = (members: readonly DescribedMember[], schemaOf: (member: DescribedMember) => Schema): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(members.map((member) => [member.name, schemaOf(member)])),
})

const withRequired = (members: readonly DescribedMember[], schema: Schema): Schema => ({
  ...schema,
  required: members.filter(isRequired).map(({ name }) => name),
})

const none: Schema = { type: 'null' }

/** An attribute in an answer: as described, or null without a value. */
function shownAttribute(member: DescribedMember): Schema {
  const described = { $ref: `#/definitions/attributes/properties/${member.name}` }
  if (isAlwaysThere(member)) return described
  return { anyOf: [none, ...(spelledOtherwise(member, described) ?? [described])] }
}

/** Metadata, booleans, lists and required members are never null. */
function isAlwaysThere(member: DescribedMember): boolean {
  const { field, source, default: said } = member
  if (source === undefined) return false
  if (source.of === 'note' || field.kind === 'yes-no' || isList(member) || typeof said === 'string') return true
  return source.of === 'field' && field.required === true
}

/** Values with more forms than clients read: naming all of them would make the schema less useful. */
function spelledOtherwise(member: DescribedMember, described: Schema): readonly Schema[] | undefined {
  const { field } = member
  if (field.kind === 'choice' && field.open) return [word]
  if (field.kind === 'rich-text') return [textOfAnyFormat]
  // A client that sent a boolean reads a boolean.
  return ruleOf(member) === 'archived' ? [{ type: 'boolean' }, described] : undefined
}

const textOfAnyFormat: Schema = {
  type: 'object',
  properties: { value: { type: 'string' }, format: { type: ['string', 'null'] }, processed: { type: 'string' } },
  required: ['value', 'format', 'processed'],
  additionalProperties: false,
}

/** A relationship in an answer: a to-one may be null, and a target of an old revision may be missing. */
function shownRelationship({ name, field }: DescribedMember): Schema {
  const described = `#/definitions/relationships/properties/${name}/properties/data`
  const data = isMany(field)
    ? { type: 'array', items: { anyOf: [{ $ref: `${described}/items` }, gone] } }
    : { anyOf: [none, { $ref: described }, gone] }
  return { type: 'object', properties: { data } }
}

const gone: Schema = {
  type: 'object',
  properties: { type: { const: 'unknown' }, id: { const: 'missing' } },
  required: ['type', 'id'],
}

/** An attribute as clients read it: label, type and allowed values. */
function attributeSchema(farm: Farm, type: DescribedType, member: DescribedMember): Schema {
  const title = member.field.label
  const one = oneValue(farm, type, member)
  if (isList(member)) return { type: 'array', title, items: one }
  return { title, ...one, ...defaultOf(member) }
}

/** Several geometries are shown as one. */
const isList = ({ field }: DescribedMember): boolean => isMany(field) && field.kind !== 'geometry'

const ruleOf = ({ source }: DescribedMember) => (source?.of === 'rule' ? source.rule : undefined)

function oneValue(farm: Farm, { kind }: DescribedType, member: DescribedMember): Schema {
  const rule = ruleOf(member)
  if (rule === 'fraction') return fractionSchema
  if (rule !== 'area type' || kind === undefined) return valueSchema(member.field, farm)
  const [, areas] = areaVocabulary(farm)
  return wordSchema(wordsOfKind(farm, areas, kind))
}

/** Only for booleans: a client that reads the default of a status would write done where it now writes pending. */
function defaultOf({ field, source, default: said }: DescribedMember): Schema {
  if (field.kind !== 'yes-no' || source === undefined || source.of === 'note') return {}
  return { default: said === true || (source.of === 'field' && source.opposite === true) }
}

/** Members that are always present. A missing status or time of a log is filled in. */
const isRequired = ({ field, default: said }: DescribedMember): boolean =>
  field.required === true || typeof said === 'string' || (field.kind === 'timestamp' && field.newer?.required === false)

interface ValueSchema<K extends FieldKind> {
  readonly schema: (field: FieldOf<K>, farm: Farm) => Schema
}

const text: Schema = { type: 'string' }

/** The schema of one value, by kind. Clients expect a single `type`; `shownAttribute` adds null. */
const valueSchemas: { readonly [K in FieldKind]: ValueSchema<K> } = {
  ...plainRules('newer'),
  choice: { schema: ({ list, open, many }, farm) => (open && many ? word : wordSchema(farm.lists[list] ?? [])) },
  reference: { schema: () => ({ type: 'integer' }) },
  attachment: { schema: () => ({ type: 'integer' }) },
  part: { schema: partSchema },
}

const fractionSchema: Schema = {
  type: 'object',
  properties: { numerator: { type: 'integer' }, denominator: { type: 'integer' }, decimal: text },
}

/** Any word, for an open list. */
const word: Schema = { ...text, maxLength: 255 }

/** One of these words, as /api spells them. */
const wordSchema = (choices: readonly Choice[]): Schema => ({
  ...word,
  oneOf: choices.map(({ value, newer, label }) => ({ const: newer ?? value, title: label })),
})

function valueSchema<K extends FieldKind>(field: FieldOf<K>, farm: Farm): Schema {
  return valueSchemas[field.kind as K].schema(field, farm)
}

/** All members are always present; those without a value are null. */
function partSchema(field: FieldOf<'part'>, farm: Farm): Schema {
  const members = partMembers(field).map(({ name, field: inner }) => {
    const one = inner.kind === 'choice' && inner.open ? word : valueSchema(inner, farm)
    const schema = isMany(inner) ? { type: 'array', items: one } : orNone(one)
    return [name, { title: inner.label, ...schema }] as const
  })
  return { type: 'object', properties: Object.fromEntries(members) }
}

function orNone({ type, oneOf, ...rest }: Schema): Schema {
  const words = Array.isArray(oneOf) ? { enum: [...oneOf.map((one) => one.const), null] } : {}
  return { type: [type, 'null'], ...rest, ...words }
}

/** A relationship as clients read it: to one or to many, and its target types. */
function relationshipSchema(member: DescribedMember): Schema {
  const identifier = identifierSchema(member)
  const data = isMany(member.field) ? { type: 'array', items: identifier } : identifier
  return { type: 'object', title: member.field.label, properties: { data } }
}

const identifierSchema = (member: DescribedMember): Schema => ({
  type: 'object',
  required: ['type', 'id'],
  properties: {
    type: { type: 'string', enum: targetsOf(member) },
    id: { type: 'string', format: 'uuid', maxLength: 128 },
    meta: { type: 'object' },
  },
})

export const targetsOf = ({ targets = ofFiles }: DescribedMember): readonly string[] => targets

const ofFiles = ['file--file']
