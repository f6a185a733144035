import type { Farm } from '../../../farm/farm.ts'
import { isRelationship } from '../../../farm/newer/resource-type.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { addressOf } from '../wire/resource-object.ts'
import { attributeSchema, isRequired } from './attribute-schemas.ts'
import type { DescribedMember, DescribedType } from './described-type.ts'
import { relationshipSchema } from './relationship-schemas.ts'
import { shownAttribute, shownRelationship } from './shown-schemas.ts'

export const dialect = 'https://json-schema.org/draft/2019-09/hyper-schema'
export const jsonApiSchema = 'https://jsonapi.org/schema'

/**
 * The schema of a resource. Its definitions are in the form that clients read, where a member has one type and a writer learns what is
 * required; a resource as it is answered is held to the same, but may be cut to some of its members and have nulls among them.
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

const only = (members: readonly DescribedMember[], schemaOf: (member: DescribedMember) => Schema): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(members.map((member) => [member.name, schemaOf(member)])),
})

const withRequired = (members: readonly DescribedMember[], schema: Schema): Schema => ({
  ...schema,
  required: members.filter(isRequired).map(({ name }) => name),
})
