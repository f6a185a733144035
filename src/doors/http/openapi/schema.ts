/** A JSON Schema (2020-12) or another piece of the description. */
export type Schema = { readonly [keyword: string]: unknown }

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const responseRef = (name: string): Schema => ({ $ref: `#/components/responses/${name}` })
export const parameterRef = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })

export const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

/** A list as both formats have it: in XML one element around its items. */
export const listOf = (item: Schema): Schema => ({
  type: 'array',
  items: { ...item, xml: { name: 'item' } },
  xml: { wrapped: true },
})

export interface Members {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** An object with these members and no others. */
export const objectOf = ({ properties, required = [] }: Members): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
})

export const described = (description: string, schema: Schema): Schema => ({ description, ...schema })

/** An object that has these among its members. */
export const withObjects = (...names: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'object' }])),
  required: names,
})
