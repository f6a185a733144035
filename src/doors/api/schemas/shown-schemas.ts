import { isMany } from '../../../fields/field.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { isList, ruleOf } from './attribute-schemas.ts'
import type { DescribedMember } from './described-type.ts'
import { word } from './value-schemas.ts'

const none: Schema = { type: 'null' }

/** An attribute as an answer shows it: as it is described, or null where it has no value. */
export function shownAttribute(member: DescribedMember): Schema {
  const described = { $ref: `#/definitions/attributes/properties/${member.name}` }
  if (isAlwaysThere(member)) return described
  return { anyOf: [none, ...(spelledOtherwise(member) ?? [described])] }
}

/** What the service notes, a yes or no, a list, and what a record has to have. */
function isAlwaysThere(member: DescribedMember): boolean {
  const { field, source, default: said } = member
  if (source === undefined) return false
  if (source.of === 'note' || field.kind === 'yes-no' || isList(member) || typeof said === 'string') return true
  return source.of === 'field' && field.required === true
}

/** Values that can be more than what clients read of them: a schema that said so there would tell them less. */
function spelledOtherwise(member: DescribedMember): readonly Schema[] | undefined {
  const { field, name } = member
  const described = { $ref: `#/definitions/attributes/properties/${name}` }
  if (field.kind === 'choice' && field.open) return [word]
  if (field.kind === 'rich-text') return [textOfAnyFormat]
  // Whoever says yes or no of it reads a yes or no.
  return ruleOf(member) === 'archived' ? [{ type: 'boolean' }, described] : undefined
}

const textOfAnyFormat: Schema = {
  type: 'object',
  properties: { value: { type: 'string' }, format: { type: ['string', 'null'] }, processed: { type: 'string' } },
  required: ['value', 'format', 'processed'],
  additionalProperties: false,
}

/** A relationship as an answer shows it: one to one may lead nowhere, and what an old revision led to may be gone. */
export function shownRelationship({ name, field }: DescribedMember): Schema {
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
