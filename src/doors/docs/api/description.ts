import type { Schema } from '../../http/openapi/schema.ts'

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface Response {
  readonly description: string
  readonly content?: Content
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema: Schema }>>
}

interface Reference {
  readonly $ref: string
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

/** What the reader knows of an OpenAPI document: no more than our own doors write. */
export interface Description {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

type PathItem = { readonly [M in (typeof methods)[number]]?: Operation } & {
  readonly parameters?: readonly (Parameter | Reference)[]
}

export interface AddressedOperation extends Operation {
  readonly method: string
  readonly path: string
}

/** Every operation with its address, and with the parameters of its path among its own. */
export const operationsOf = ({ paths }: Description): readonly AddressedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return [{ ...operation, parameters, method: method.toUpperCase(), path }]
    }),
  )

export const nameIn = ($ref: string): string => $ref.split('/').at(-1) ?? ''

export function parameterOf({ components }: Description, given: Parameter | Reference): Parameter | undefined {
  return '$ref' in given ? components.parameters[nameIn(given.$ref)] : given
}

export function responseOf({ components }: Description, given: Response | Reference): Response | undefined {
  return '$ref' in given ? components.responses[nameIn(given.$ref)] : given
}
