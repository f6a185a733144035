import { type Html, html } from '../../http/html.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { nameIn } from './description.ts'
import { joined, table } from './table.ts'

/** What a schema says, in words, links and tables; a schema that has a name is a link, so nothing goes round in circles. */
export function schemaHtml(schema: Schema): Html {
  const { $ref, anyOf, oneOf, allOf } = schema as Combined
  if ($ref !== undefined) return linkTo(nameIn($ref))
  const either = anyOf ?? oneOf
  if (either !== undefined) return joined(either.map(schemaHtml), ' or ')
  if (allOf !== undefined)
    return html`${joined(allOf.map(schemaHtml), ' and ')}${'required' in schema ? mustHave(schema) : null}`
  return valueHtml(schema)
}

interface Combined {
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

/** The members of an object, those that are objects themselves with a table of their own inside. */
export function membersTable(schema: Schema): Html {
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
