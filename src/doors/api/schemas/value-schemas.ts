import type { Choice, Farm } from '../../../farm/farm.ts'
import { partMembers } from '../../../farm/newer/part-members.ts'
import { type FieldOf, isMany, type Kind } from '../../../fields/field.ts'
import type { Schema } from '../../http/openapi/schema.ts'

type Describing = { readonly [K in Kind]: (field: FieldOf<K>, farm: Farm) => Schema }

const text: Schema = { type: 'string' }
const time: Schema = { type: 'string', format: 'date-time' }
const number: Schema = { type: ['number', 'null'] }
const textOrNone: Schema = { type: ['string', 'null'] }

/** The schema of one value of each kind. Clients read `type` as one word: a value that is missing is let in elsewhere (shown-schemas.ts). */
const describing: Describing = {
  text: ({ maxLength }) => ({ ...text, maxLength }),
  'long-text': ({ maxLength }) => ({ ...text, maxLength }),
  'rich-text': () => ({
    type: 'object',
    properties: { value: text, format: text, processed: text },
    required: ['value'],
  }),
  timestamp: () => time,
  period: () => ({ type: 'object', properties: { value: time, end_value: time }, required: ['value'] }),
  'yes-no': () => ({ type: 'boolean' }),
  whole: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
  decimal: () => text,
  choice: ({ list, open, many }, farm) => (open && many ? word : wordSchema(farm.lists[list] ?? [])),
  reference: () => ({ type: 'integer' }),
  attachment: () => ({ type: 'integer' }),
  geometry: () => ({ type: 'object', properties: geometryProperties, required: ['value'] }),
  part: (field, farm) => partSchema(field, farm),
}

const geometryProperties: Schema = {
  value: text,
  geo_type: textOrNone,
  lat: number,
  lon: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  geohash: textOrNone,
  latlon: textOrNone,
}

/** The value of a quantity. */
export const fractionSchema: Schema = {
  type: 'object',
  properties: { numerator: { type: 'integer' }, denominator: { type: 'integer' }, decimal: text },
}

/** Any word, as an open list takes it. */
export const word: Schema = { ...text, maxLength: 255 }

/** One of these words, as the newer generation has them. */
export const wordSchema = (choices: readonly Choice[]): Schema => ({
  ...word,
  oneOf: choices.map(({ value, newer, label }) => ({ const: newer ?? value, title: label })),
})

export function valueSchema<K extends Kind>(field: FieldOf<K>, farm: Farm): Schema {
  return describing[field.kind as K](field, farm)
}

/** All members are always there; what they do not say is null. */
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
