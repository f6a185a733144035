import { html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import { type AddressedOperation, type Description, operationsOf } from './description.ts'
import { linkTo } from './schema-html.ts'
import { table } from './table.ts'

/** Everything that can be asked of this farm, by subject. */
export function operationsPage(description: Description): Page {
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
<p>This is what <a href="/openapi.json">/openapi.json</a> says to programs, of this farm and its modules. <a href="/docs/interface">The record interface</a> explains it,
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
