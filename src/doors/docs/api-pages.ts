import { Refusal } from '../../refusal.ts'
import { type Html, html } from '../http/html.ts'
import type { Page } from '../http/page.ts'
import {
  type AddressedOperation,
  joined,
  type OpenapiDocument,
  type OperationContent,
  operationsOf,
  parameterOf,
  responseOf,
  schemaHtml,
  table,
} from './openapi-html.ts'

/** One operation: who may, what it takes and what it answers. */
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
    return html`<li>${joined(names, ' and ')}</li>`
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

/** Media types that carry the same are named together. */
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
