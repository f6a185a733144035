/**
 * The floor on PostgreSQL: bare node:http and `pg` with named statements, the same rows and bytes as Furrow, without
 * routing, authentication or computation. A write is one transaction with a synchronous commit, sent in one journey.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

const [url = '', port = ''] = process.argv.slice(2)
const options = { connectionString: url, max: 10, pipeline: true }
const pool = new pg.Pool(options)

const names = new Map()
/** @param {string} text @param {unknown[]} values */
function named(text, values) {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return { name, text, values }
}
/** @param {string} text @param {unknown[]} values @returns {Promise<any[]>} */
const rowsOf = async (text, ...values) => (await pool.query(named(text, values))).rows

const documentInSql = 'select body from floor_document where path = $1'
const tagInSql = 'select tag from floor_page where path = $1'
const pageInSql = `select head || (select string_agg(body, joint order by position) from floor_item
  join floor_document on id = document where page = floor_page.path) || tail as body, tag from floor_page where path = $1`

const [durable] = await rowsOf('show synchronous_commit')
if (durable.synchronous_commit !== 'on') throw new Error('Writes are not synced')
const recipes = new Map((await rowsOf('select * from floor_recipe')).map((row) => [row.method, recipeOf(row.recipe)]))
const [last] = await rowsOf('select greatest((select max(id) from log), (select max(id) from quantity)) as id')
let lastId = Number(last.id)
/** PostgreSQL numbers the quantities of logs; those posted alone stay above its ids. */
let lastApiId = 1_000_000_000

/** The rows of one write, as Furrow left them on SQLite, and the answer it gave. @param {string} text */
function recipeOf(text) {
  const recipe = JSON.parse(text)
  for (const one of recipe.statements) {
    let place = 0
    const sql = one.sql.replaceAll('lower(hex(randomblob(16)))', "replace(gen_random_uuid()::text, '-', '')")
    one.sql = sql.replaceAll('?', () => `$${++place}`)
  }
  return recipe
}

/** Sends all statements of a transaction together. @param {ReturnType<typeof named>[]} statements */
async function commit(statements) {
  const client = await pool.connect()
  const sent = [client.query('begin'), ...statements.map((one) => client.query(one)), client.query('commit')]
  const { command } = (await Promise.all(sent)).at(-1) ?? {}
  if (command !== 'COMMIT') throw new Error('Nothing was committed')
  client.release()
}

/** @param {string} method @param {string} path @param {string} body */
async function write(method, path, body) {
  const { statements, ...recipe } = recipes.get(`${method} ${path}`) ?? recipes.get(method)
  const { data, operations, name = data?.attributes.name ?? '' } = JSON.parse(body)
  /** @type {string[]} */
  const all = operations?.map((/** @type {any} */ one) => one.body.name) ?? [name]
  const newId = () => (path.startsWith('/api/') ? ++lastApiId : ++lastId)
  const ids = all.map(() => (method === 'POST' ? newId() : Number(path.split('/').pop())))
  /** @type {(value: unknown, n: number) => unknown} */
  const filled = (value, n) => (value === '@id' ? ids[n] : value === '@name' ? all[n] : value)
  /** @type {(values: unknown[], n: number) => unknown[]} */
  const valuesOf = (values, n) => values.map((value) => filled(value, n))
  const ofOne = (/** @type {number} */ n) =>
    statements.map((/** @type {any} */ { sql, values }) => named(sql, valuesOf(values, n)))
  await commit(all.flatMap((_, n) => ofOne(n)))
  const uris = ids.map((id) => recipe.location.replace('@id', id))
  const results = ids.map((id, n) => ({ status: 201, id: String(id), uri: uris[n], resource: 'log' }))
  if (operations) return { answer: JSON.stringify({ results }), location: '' }
  return { answer: recipe.answer.replaceAll('@id', String(ids[0])).replace('@name', name), location: uris[0] }
}

const hashOf = (/** @type {string} */ secret) => createHash('sha256').update(secret).digest('base64url')
const familyInSql = `select family, client, uid, scope from refresh_token join token_family on token_family.id = family
  where hash = $1 and rotated is null`
const newFamilyInSql = `insert into token_family (id, client, uid, scope, created, ends) values ($1, $2, $3, $4, 0, 0)`

/** Spends a refresh token, or begins a family. @param {string} body */
async function tokens(body) {
  const hash = hashOf(new URLSearchParams(body).get('refresh_token') ?? '')
  const [known] = await rowsOf(familyInSql, hash)
  const { family, ...own } = known ?? { family: randomUUID(), client: 'farm', uid: 1, scope: 'user_access' }
  const [access = '', refresh = ''] = [0, 1].map(() => randomBytes(32).toString('base64url'))
  const now = Math.floor(Date.now() / 1000)
  const spent = named('update refresh_token set rotated = $2 where hash = $1', [hash, now])
  const token = [hashOf(access), family, ...Object.values(own), now, now + 86_400]
  await commit([
    known ? spent : named(newFamilyInSql, [family, ...Object.values(own)]),
    named('delete from access_token where family = $1', [family]),
    named('insert into access_token values ($1, $2, $3, $4, $5, $6, $7)', token),
    named('insert into refresh_token values ($1, $2, $3, $4, null)', [hashOf(refresh), family, now, now + 86_400]),
    named('update token_family set ends = $2 where id = $1', [family, now + 86_400]),
  ])
  const answer = { access_token: access, expires_in: '86400', token_type: 'Bearer', scope: own.scope }
  return { answer: JSON.stringify({ ...answer, refresh_token: refresh }), location: '' }
}

createServer(async (request, response) => {
  const { method = '', url: path = '', headers } = request
  const type = path.includes('.xml') ? 'application/xml; charset=utf-8' : 'application/json'
  /** @param {number} status @param {string} body @param {Record<string, string>} own */
  const answer = (status, body, own) =>
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...own }).end(body)
  if (method === 'GET') {
    const [kept] = headers['if-none-match'] === undefined ? [] : await rowsOf(tagInSql, path)
    if (kept?.tag === headers['if-none-match'] && kept) return response.writeHead(304, { etag: kept.tag }).end()
    const [{ body, tag }] = await rowsOf(path.includes('?') ? pageInSql : documentInSql, path)
    return answer(200, body, tag === undefined ? {} : { etag: tag })
  }
  let sent = ''
  for await (const chunk of request) sent += chunk
  const { location, answer: body } = await (path === '/oauth/token' ? tokens(sent) : write(method, path, sent))
  return answer(location ? 201 : 200, body, location ? { location } : {})
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
