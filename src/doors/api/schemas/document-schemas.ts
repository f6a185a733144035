import type { Farm } from '../../../farm/farm.ts'
import { isMany } from '../../../fields/field.ts'
import type { Schema } from '../../http/openapi.ts'
import { mediaType } from '../documents/document.ts'
import { addressOf } from '../documents/resource-object.ts'
import { type DescribedMember, type DescribedType, describedType, describedTypeNames } from './described-type.ts'
import { dialect, jsonApiSchema, targetsOf } from './resource-schema.ts'

/** A reference to a schema at another address. */
const at = (base: string, type: string, ...inside: readonly string[]): Schema => ({
  $ref: addressOf(base, type, ...inside, 'schema'),
})

interface Document {
  readonly address: string
  readonly title: string
  readonly data: Schema
}

/** A JSON:API document; unless it is an error, its data has this schema. */
const documentSchema = ({ address, title, data }: Document): Schema => ({
  $schema: dialect,
  $id: address,
  title,
  allOf: [
    { $ref: jsonApiSchema },
    {
      if: { $ref: `${jsonApiSchema}#/definitions/success` },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { type: 'object', properties: { data: { $ref: '#/definitions/data' } }, required: ['data'] },
    },
  ],
  definitions: { data },
})

export const individualSchema = ({ name, title }: DescribedType, base: string): Schema =>
  documentSchema({ address: addressOf(base, name, 'schema'), title, data: at(base, name, 'resource') })

export const collectionSchema = ({ name, title }: DescribedType, base: string): Schema =>
  documentSchema({
    address: addressOf(base, name, 'collection', 'schema'),
    title: `${title} collection`,
    data: { type: 'array', items: at(base, name, 'resource') },
  })

export function relatedSchema({ name, title }: DescribedType, member: DescribedMember, base: string): Schema {
  const targets = targetsOf(member).map((target) => at(base, target, 'resource'))
  return documentSchema({
    address: addressOf(base, name, 'resource', 'relationships', member.name, 'related', 'schema'),
    title: `${title}: ${member.field.label}`,
    data: isMany(member.field)
      ? { type: 'array', items: { anyOf: targets } }
      : { anyOf: [{ type: 'null' }, ...targets] },
  })
}

/** The entry document, which links to the collections. */
export const entrySchema = (farm: Farm, base: string): Schema => ({
  $schema: dialect,
  $id: `${base}/api/schema`,
  title: 'Entry',
  allOf: [
    { $ref: jsonApiSchema },
    {
      links: describedTypeNames(farm).map((name) => ({
        href: '{instanceHref}',
        rel: 'related',
        title: `${describedType(farm, name)?.title} collection`,
        targetMediaType: mediaType,
        targetSchema: at(base, name, 'collection'),
        templatePointers: { instanceHref: `/links/${name}/href` },
        templateRequired: ['instanceHref'],
      })),
    },
  ],
})
