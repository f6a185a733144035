import { type Html, html } from '../http/html.ts'
import type { Schema } from '../http/openapi.ts'

interface OperationParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export type OperationContent = Readonly<Record<string, { readonly schema: Schema }>>

interface OperationResponse {
  readonly description: string
  readonly content?: OperationContent
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema: Schema }>>
}

interface Reference {
  readonly $ref: string
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (OperationParameter | Reference)[]
  readonly requestBody?: { readonly content: OperationContent }
  readonly responses: Readonly<Record<string, OperationResponse | Reference>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

/** The subset of OpenAPI that our own doors write. */
export interface OpenapiDocument {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, OperationParameter>>
    readonly responses: Readonly<Record<string, OperationResponse>>
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

type PathItem = { readonly [M in (typeof methods)[number]]?: DescribedOperation } & {
  readonly parameters?: readonly (OperationParameter | Reference)[]
}

export interface AddressedOperation extends DescribedOperation {
  readonly method: string
  readonly path: string
}

/** Every operation with its address; the parameters of the path are merged into its own. */
export const operationsOf = ({ paths }: OpenapiDocument): readonly AddressedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return [{ ...operation, parameters, method: method.toUpperCase(), path }]
    }),
  )

const nameIn = ($ref: string): string => $ref.split('/').at(-1) ?? ''

export function parameterOf(
  { components }: OpenapiDocument,
  given: OperationParameter | Reference,
): OperationParameter | undefined {
  return '$ref' in given ? components.parameters[nameIn(given.$ref)] : given
}

export function responseOf(
  { components }: OpenapiDocument,
  given: OperationResponse | Reference,
): OperationResponse | undefined {
  return '$ref' in given ? components.responses[nameIn(given.$ref)] : given
}

/** A schema as words, links and tables. Named schemas are links, so recursion ends. */
export function schemaHtml(schema: Schema): Html {
  const { $ref, anyOf, oneOf, allOf } = schema as CombinedSchema
  if ($ref !== undefined) return linkTo(nameIn($ref))
  const either = anyOf ?? oneOf
  if (either !== undefined) return joined(either.map(schemaHtml), ' or ')
  if (allOf !== undefined)
    return html`${joined(allOf.map(schemaHtml), ' and ')}${'required' in schema ? mustHave(schema) : null}`
  return valueHtml(schema)
}

interface CombinedSchema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export const linkTo = (name: string): Html => html`<a href="/docs/api/schemas/${name}">${name}</a>`

const mustHave = (schema: Schema): Html =>
  html`, which must have ${joined(
    (schema.required as readonly string[]).map((name) => html`<code>${name}</code>`),
    ', ',
  )}`

function valueHtml(schema: Schema): Html {
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (Array.isArray(schema.enum)) return html`one of ${wordsHtml(schema.enum)}`
  if (schema.type === 'array') return html`list${schema.items ? html` of ${schemaHtml(schema.items as Schema)}` : null}`
  if (schema.type === 'object') return objectHtml(schema)
  return html`${String(schema.type ?? 'anything')}${constraintsOf(schema)}`
}

const wordsHtml = (words: readonly unknown[]): Html =>
  joined(
    words.map((word) => html`<code>${String(word)}</code>`),
    ', ',
  )

function objectHtml(schema: Schema): Html {
  if (schema.properties !== undefined) return membersTable(schema)
  const { additionalProperties: members } = schema
  if (typeof members !== 'object' || members === null) return html`object`
  return html`object, each member of it ${schemaHtml(members as Schema)}`
}

/** The members of an object; nested objects have a nested table. */
function membersTable(schema: Schema): Html {
  const required = (schema.required ?? []) as readonly string[]
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, member]) => [
    html`<code>${name}</code>${required.includes(name) ? html` <strong>required</strong>` : null}`,
    schemaHtml(member),
    html`${descriptionOf(member)}`,
  ])
  return table(['Name', 'Value', 'What it is'], rows)
}

const descriptionOf = ({ description }: Schema): string => (typeof description === 'string' ? description : '')

const spelledConstraints: Readonly<Record<string, (value: unknown) => string>> = {
  format: (value) => `${value}`,
  pattern: (value) => `matching ${value}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  examples: (value) => `such as ${(value as readonly unknown[]).map((one) => JSON.stringify(one)).join(', ')}`,
}

function constraintsOf(schema: Schema): Html | null {
  const spelled = Object.entries(spelledConstraints).flatMap(([keyword, spell]) =>
    keyword in schema ? [spell(schema[keyword])] : [],
  )
  return spelled.length === 0 ? null : html` <span class="soft">(${spelled.join('; ')})</span>`
}

/** A table that a narrow screen can show row by row, each cell with its label. */
export const table = (labels: readonly string[], rows: readonly (readonly Html[])[]): Html => html`<table>
<thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, column) => html`<td data-label="${labels[column] ?? ''}">${cell}</td>`)}</tr>\n`,
)}</tbody>
</table>`

export const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, at) => html`${at === 0 ? '' : between}${part}`)}`
