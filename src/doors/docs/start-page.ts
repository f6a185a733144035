import { type Html, html } from '../http/html.ts'
import type { Page } from '../http/page.ts'
import { readers } from './readers.ts'

/** All pages, by who reads them. */
export function startPage(titles: ReadonlyMap<string, string>): Page {
  const sections = readers.map(({ reader, id, pages }) => {
    const items = Object.entries(pages).map(
      ([name, about]) => html`<li><a href="/docs/${name}">${titles.get(name) ?? name}</a>: ${about}</li>`,
    )
    return html`<h2 id="${id}">${reader}</h2>\n<ul>${items}</ul>\n`
  })
  return { title: 'Documentation', main: html`${contents}<div class="text">${introduction}${sections}</div>` }
}

const contents = html`<nav class="contents" aria-label="On this page"><ul>${readers.map(
  ({ reader, id }) => html`<li><a href="#${id}">${reader}</a></li>`,
)}</ul></nav>`

const introduction: Html = html`<p>Everything about Furrow, served by this farm itself. Who is new begins with
<a href="/docs/concepts">what is recorded, and how</a>. Addresses such as <code>http://127.0.0.1:8080</code> in the examples stand for the address of your farm.
<a href="/docs/api">The interface of this farm</a>, address by address, is shown to those who may read its records.</p>`
