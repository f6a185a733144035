import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const pictures = 'docs/pictures'

/** Every page that the farm serves, by its path in the project. @returns {string[]} */
export function documentedPages() {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', ...name.split(/[\\/]/)))
    .sort()
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...inDocs]
}

/** The name of a page after `/docs/`. @param {string} path */
export const nameOfPage = (path) =>
  path
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()

/**
 * Renders the pages at build time: one file per page and one for all titles, so that the server needs no Markdown
 * library. Pictures lie beside them.
 * @param {string} dist
 */
export async function makeDocumentation(dist) {
  const folder = join(dist, 'docs')
  const paths = documentedPages()
  /** @type {Record<string, string>} */
  const titles = {}
  for (const path of paths) {
    const { title, html } = renderPage(readFileSync(join(root, path), 'utf8'), { path, paths })
    titles[nameOfPage(path)] = title
    const file = join(folder, `${nameOfPage(path)}.html`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, html)
  }
  await cp(join(root, pictures), join(folder, 'pictures'), { recursive: true })
  await writeFile(join(folder, 'titles.json'), JSON.stringify(titles))
}

/** @typedef {{ readonly path: string, readonly paths: readonly string[] }} Place The page, and all there are. */

/** @param {string} markdown @param {Place} place @returns {{ title: string, html: string }} */
export function renderPage(markdown, place) {
  /** @type {{ depth: number, text: string, id: string }[]} */
  const headings = []
  const marked = new Marked()
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const text = html.replace(/<[^>]*>/g, '')
        const id = freeId(fragmentOf(text), headings)
        headings.push({ depth, text, id })
        return depth === 1 ? '' : `<h${depth} id="${id}">${html}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const target = addressOf(href, place)
        return target === null ? html : `<a href="${escaped(target)}">${html}</a>`
      },
      image({ href, text }) {
        const file = posix.join(posix.dirname(place.path), href)
        const isServed = posix.dirname(file) === pictures && existsSync(join(root, file))
        return isServed ? `<img src="/docs/pictures/${posix.basename(file)}" alt="${escaped(text)}">` : escaped(text)
      },
      html: ({ text }) => escaped(text),
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table({ header, rows }) {
        const titles = header.map(({ tokens }) => this.parser.parseInline(tokens))
        const head = titles.map((title) => `<th scope="col">${title}</th>`).join('')
        const body = rows.map((cells) => {
          const inner = cells.map(({ tokens }, column) => {
            const label = (titles[column] ?? '').replace(/<[^>]*>/g, '').replaceAll('"', '&quot;')
            return `<td data-label="${label}">${this.parser.parseInline(tokens)}</td>`
          })
          return `<tr>${inner.join('')}</tr>\n`
        })
        return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('')}</tbody>\n</table>\n`
      },
    },
  })
  const text = /** @type {string} */ (marked.parse(markdown))
  const title = headings.find(({ depth }) => depth === 1)?.text
  if (title === undefined) throw new Error(`${place.path} has no heading of the first level, which is its title.`)
  return { title: unescaped(title), html: `${contentsOf(headings)}<div class="text">\n${text}</div>\n` }
}

/** @param {readonly { depth: number, text: string, id: string }[]} headings */
function contentsOf(headings) {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (listed.length === 0) return ''
  const items = listed.map(
    ({ depth, text, id }) => `<li${depth === 3 ? ' class="deeper"' : ''}><a href="#${id}">${text}</a></li>\n`,
  )
  return `<nav class="contents" aria-label="On this page">\n<ul>\n${items.join('')}</ul>\n</nav>\n`
}

/** The fragment of a heading, as code forges make it. @param {string} heading */
const fragmentOf = (heading) =>
  unescaped(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** @param {string} id @param {readonly { id: string }[]} taken */
function freeId(id, taken) {
  const isTaken = (/** @type {string} */ candidate) => taken.some((one) => one.id === candidate)
  let free = id
  for (let count = 1; isTaken(free); count++) free = `${id}-${count}`
  return free
}

/**
 * The address of a link on the farm, or null if the farm does not serve it: source files are only in the project.
 * @param {string} href
 * @param {Place} place
 */
function addressOf(href, { path, paths }) {
  if (/^(https?|mailto):/.test(href) || href.startsWith('#')) return href
  if (/^[a-z][a-z\d+.-]*:/i.test(href)) return null
  const [file = '', fragment] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(path), file))
  if (paths.includes(target)) return `/docs/${nameOfPage(target)}${fragment === undefined ? '' : `#${fragment}`}`
  return paths.some((known) => known.startsWith(target.endsWith('/') ? target : `${target}/`)) ? '/docs' : null
}

/** @type {Readonly<Record<string, string>>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** @param {string} text */
const unescaped = (text) =>
  text.replace(
    /&(?:amp|lt|gt|quot|#39);/g,
    (entity) => Object.keys(entities).find((it) => entities[it] === entity) ?? '',
  )
