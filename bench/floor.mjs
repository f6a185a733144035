/**
 * The floor: the limit of this machine. Bare node:http and SQLite with prepared statements, sending the same bytes as
 * Furrow from stored documents, without routing, authentication or computation. A page is joined from its documents,
 * row by row. A write adds or changes the same rows as Furrow, synced to disk each time.
 */
import { createServer } from 'node:http'
import { DatabaseSync } from '@photostructure/sqlite'

const [path = '', port = ''] = process.argv.slice(2)
const file = new DatabaseSync(path)
for (const pragma of ['journal_mode=WAL', 'synchronous=FULL', 'cache_size=-16384', 'mmap_size=268435456']) {
  file.exec(`PRAGMA ${pragma}`)
}
if (file.prepare('PRAGMA synchronous').get().synchronous !== 2) throw new Error('Writes are not synced')

const stored = file.prepare('select body from floor_document where path = ?')
const frame = file.prepare('select head, joint, tail from floor_page where path = ?')
const listed = file.prepare(
  'select body from floor_item join floor_document on floor_document.id = floor_item.document where page = ? order by position',
)
const recipes = new Map(file.prepare('select method, recipe from floor_recipe').all().map(prepared))

/**
 * The rows of one write, as Furrow left them, and the answer it gave.
 * @param {{ method: string, recipe: string }} row
 */
function prepared({ method, recipe }) {
  const { statements, answer, location } = JSON.parse(recipe)
  return /** @type {const} */ ([
    method,
    {
      answer,
      location,
      statements: statements.map((/** @type {{ sql: string, values: unknown[] }} */ { sql, values }) => ({
        statement: file.prepare(sql),
        values: values.map((value) => (typeof value === 'number' && (value | 0) !== value ? BigInt(value) : value)),
      })),
    },
  ])
}

let lastId = Math.max(
  ...['log', 'quantity'].map((table) => Number(file.prepare(`select max(id) as last from ${table}`).get().last)),
)

/** SQLite numbers the quantities of logs; quantities posted alone stay above its ids. */
let lastApiId = 1_000_000_000

/** @param {string} method @param {string} url @param {string} body */
function write(method, url, body) {
  const recipe = recipes.get(`${method} ${url}`) ?? recipes.get(method)
  if (recipe === undefined) throw new Error(`No recipe for ${method}`)
  const { data, operations, name = data?.attributes.name ?? '' } = JSON.parse(body)
  const enter = (/** @type {string} */ own) => {
    const id = method === 'POST' ? newId(url) : Number(url.slice(url.lastIndexOf('/') + 1))
    const filled = (/** @type {unknown} */ value) => (value === '@id' ? id : value === '@name' ? own : value)
    for (const { statement, values } of recipe.statements) statement.run(...values.map(filled))
    return { id: String(id), uri: recipe.location.replace('@id', id) }
  }
  file.exec('BEGIN IMMEDIATE')
  const entered = operations?.map((/** @type {any} */ { body: one }) => enter(one.name)) ?? [enter(name)]
  file.exec('COMMIT')
  if (operations) {
    const results = entered.map((/** @type {object} */ one) => ({ status: 201, ...one, resource: 'log' }))
    return { answer: JSON.stringify({ results }), location: '' }
  }
  const [{ id, uri }] = entered
  return { answer: recipe.answer.replaceAll('@id', id).replace('@name', name), location: uri }
}

const newId = (/** @type {string} */ url) => (url.startsWith('/api/') ? ++lastApiId : ++lastId)

/** @param {string} url */
function read(url) {
  const document = stored.get(url)
  if (document !== undefined) return document.body
  const page = frame.get(url)
  if (page === undefined) return undefined
  const bodies = listed.all(url).map((item) => item.body)
  return page.head + bodies.join(page.joint) + page.tail
}

const server = createServer((request, response) => {
  const url = request.url ?? ''
  if (request.method === 'GET') {
    const body = read(url)
    if (body === undefined) return response.writeHead(404, { 'content-length': 0 }).end()
    return answer(200, url.includes('.xml') ? 'application/xml; charset=utf-8' : 'application/json', body)
  }
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const written = write(request.method ?? '', url, Buffer.concat(chunks).toString())
    if (written.location !== '') response.setHeader('location', written.location)
    answer(written.location === '' ? 200 : 201, 'application/json', written.answer)
  })

  /** @param {number} status @param {string} type @param {string} body */
  function answer(status, type, body) {
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
  }
})
server.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
