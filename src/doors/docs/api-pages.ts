import { Refusal } from '../../refusal.ts'
import { type Html, html } from '../http/html.ts'
import type { Schema } from '../http/openapi.ts'
import type { Page } from '../http/page.ts'
import {
  type AddressedOperation,
  joined,
  linkTo,
  type OpenapiDocument,
  type OperationContent,
  operationsOf,
  parameterOf,
  responseOf,
  schemaHtml,
  table,
} from './openapi-html.ts'

/** All operations of this farm, by subject. */
export function operationsPage(description: OpenapiDocument): Page {
  const operations = operationsOf(description)
  const sections = description.tags.map(({ name, description: about }) => {
    const own = operations.filter(({ tags }) => tags.includes(name))
    return html`<h2 id="${name}">${name}</h2>\n<p>${about}:</p>\n${table(['Request', 'What it does'], own.map(row))}\n`
  })
  const schemas = Object.keys(description.components.schemas).map((name) => html`<li>${linkTo(name)}</li>`)
  const contents = [...description.tags.map(({ name }) => name), 'schemas'].map(
    (name) => html`<li><a href="#${name}">${name}</a></li>`,
  )
  const main = html`<nav class="contents" aria-label="On this page"><ul>${contents}</ul></nav>
<div class="text">
<p>${description.info.description}</p>
<p>This is what <a href="/openapi.json">/openapi.json</a> says to programs: of this farm and its modules to those who may read its records, of a farm as it comes to others. <a href="/docs/interface">The record interface</a> explains it,
and <a href="/docs/integrate">Getting a token</a> says how to be let in.</p>
${sections}
<h2 id="schemas">schemas</h2>
<p>What bodies and answers are made of:</p>
<ul class="columns">${schemas}</ul>
</div>`
  return { title: 'The interface of this farm', main }
}

const row = ({ method, path, operationId, summary }: AddressedOperation) => [
  html`<a href="/docs/api/operations/${operationId}"><code>${method} ${path}</code></a>`,
  html`${summary}`,
]

/** One operation: permissions, parameters and answers. */
export function operationPage(description: OpenapiDocument, id: string): Page {
  const operation = operationsOf(description).find(({ operationId }) => operationId === id)
  if (operation === undefined) throw new Refusal('not-found', 'This farm has no such operation.')
  const sections = [
    { id: 'access', title: 'Who may', text: accessHtml(description, operation) },
    { id: 'parameters', title: 'Parameters', text: parametersHtml(description, operation) },
    { id: 'body', title: 'Body', text: bodyHtml(operation) },
    { id: 'answers', title: 'Answers', text: answersHtml(description, operation) },
  ].filter(({ text }) => text !== null)
  const main = html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
    ({ id: place, title }) => html`<li><a href="#${place}">${title}</a></li>`,
  )}</ul></nav>
<div class="text">
<p><code>${operation.method} ${operation.path}</code></p>
${sections.map(({ id: place, title, text }) => html`<h2 id="${place}">${title}</h2>\n${text}\n`)}</div>`
  return { title: operation.summary, main }
}

function accessHtml({ security, components }: OpenapiDocument, operation: AddressedOperation): Html {
  const ways = operation.security ?? security
  if (ways.length === 0) return html`<p>Anybody: nobody is asked who they are.</p>`
  const spelled = ways.map((way) => {
    const names = Object.keys(way).map((name) => {
      const about = components.securitySchemes[name]?.description
      return html`<code>${name}</code>${about === undefined ? null : ` (${about})`}`
    })
    return names.length === 0 ? html`<li>nobody, without a login</li>` : html`<li>${joined(names, ' and ')}</li>`
  })
  return html`<p>Whoever says who they are in one of these ways, and has the right:</p>\n<ul>${spelled}</ul>`
}

function parametersHtml(description: OpenapiDocument, { parameters = [] }: AddressedOperation): Html | null {
  const known = parameters.flatMap((given) => parameterOf(description, given) ?? [])
  if (known.length === 0) return null
  const rows = known.map((parameter) => [
    html`<code>${parameter.name}</code>${parameter.required ? html` <strong>required</strong>` : null}`,
    html`${parameter.in}`,
    schemaHtml(parameter.schema),
    html`${parameter.description ?? ''}`,
  ])
  return table(['Name', 'Where', 'Value', 'What it is'], rows)
}

const bodyHtml = ({ requestBody }: AddressedOperation): Html | null =>
  requestBody === undefined ? null : html`<div>${contentHtml(requestBody.content)}</div>`

/** Media types with the same schema are listed together. */
function contentHtml(content: OperationContent): Html {
  const typesOf = new Map<string, Html[]>()
  for (const [type, { schema }] of Object.entries(content)) {
    const carried = JSON.stringify(schema)
    typesOf.set(carried, [...(typesOf.get(carried) ?? []), html`<code>${type}</code>`])
  }
  const parts = [...typesOf].map(
    ([carried, types]) => html`<div>${joined(types, ', ')}: ${schemaHtml(JSON.parse(carried))}</div>`,
  )
  return html`${parts}`
}

function answersHtml(description: OpenapiDocument, { responses }: AddressedOperation): Html {
  const rows = Object.entries(responses).flatMap(([status, given]) => {
    const response = responseOf(description, given)
    if (response === undefined) return []
    const headers = Object.entries(response.headers ?? {}).map(
      ([name, { description: about }]) =>
        html`<div>Header <code>${name}</code>${about === undefined ? '' : `: ${about}`}</div>`,
    )
    const content = response.content === undefined ? null : contentHtml(response.content)
    return [[html`<code>${status}</code>`, html`${response.description}`, html`${content}${headers}`]]
  })
  return table(['Status', 'When', 'What it carries'], rows)
}

/** One named schema, and where it is used. */
export function schemaPage(description: OpenapiDocument, name: string): Page {
  const { schemas } = description.components
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (schema === undefined) throw new Refusal('not-found', 'The interface of this farm has no such schema.')
  const about = [schema.title, schema.description].filter((text) => typeof text === 'string')
  const main = html`<nav class="contents" aria-label="On this page"><ul>
<li><a href="#value">Value</a></li><li><a href="#users">Used by</a></li></ul></nav>
<div class="text">
${about.map((text) => html`<p>${text}</p>`)}
<h2 id="value">Value</h2>
<div>${schemaHtml(schema)}</div>
<h2 id="users">Used by</h2>
${usersHtml(description, name)}
</div>`
  return { title: name, main }
}

function usersHtml(description: OpenapiDocument, name: string): Html {
  const uses = (piece: unknown) => JSON.stringify(piece).includes(`"#/components/schemas/${name}"`)
  const operations = operationsOf(description)
    .filter(uses)
    .map(
      ({ operationId, method, path }) =>
        html`<li><a href="/docs/api/operations/${operationId}"><code>${method} ${path}</code></a></li>`,
    )
  const schemas = Object.entries(description.components.schemas as Record<string, Schema>)
    .filter(([, schema]) => uses(schema))
    .map(([user]) => html`<li>${linkTo(user)}</li>`)
  const users = [...operations, ...schemas]
  return users.length === 0 ? html`<p>Answers of several operations.</p>` : html`<ul class="columns">${users}</ul>`
}
