import { Refusal } from '../../../refusal.ts'
import { type Html, html } from '../../http/html.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import type { Page } from '../../http/page.ts'
import { type Description, operationsOf } from './description.ts'
import { linkTo, schemaHtml } from './schema-html.ts'

/** One schema that has a name, and where it is used. */
export function schemaPage(description: Description, name: string): Page {
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

function usersHtml(description: Description, name: string): Html {
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
