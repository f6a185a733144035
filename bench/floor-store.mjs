import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { laneCount } from './api-cases.mjs'
import { copyTable } from './copying.mjs'
import { answerOf } from './driving.mjs'
import { onServer } from './postgres.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./cases.mjs').Case} Case
 */

/**
 * Requests every answer that will be read, once.
 * @param {Target} target
 * @param {readonly Case[]} cases
 * @returns {Promise<Map<string, string>>} by path
 */
export async function answersTo(target, cases) {
  const answers = new Map()
  for (const ask of cases.filter(({ kind }) => kind === 'read').flatMap(({ asks }) => asks)) {
    const { status, body } = await answerOf(target, ask)
    if (status !== ask.status) throw new Error(`${target.name}: ${ask.path} gave ${status}: ${body.slice(0, 500)}`)
    answers.set(ask.path, body)
  }
  return answers
}

/**
 * Gives the floor its documents and pages to send, and its rows to write.
 * @param {string} data
 * @param {{ answers: ReadonlyMap<string, string>, recipes: ReadonlyMap<string, object> }} from
 */
export function fillFloor(data, { answers, recipes }) {
  const file = new DatabaseSync(join(data, 'farm.sqlite'))
  file.exec(`
    create table floor_document (id integer primary key, path text unique, body text not null);
    create table floor_page (path text primary key, head text, joint text, tail text) without rowid;
    create table floor_item (page text, position integer, document integer, primary key (page, position)) without rowid;
    create table floor_recipe (method text primary key, recipe text);
    begin`)
  const document = file.prepare('insert into floor_document (path, body) values (?, ?) returning id')
  const page = file.prepare('insert into floor_page values (?, ?, ?, ?)')
  const item = file.prepare('insert into floor_item values (?, ?, ?)')
  for (const [path, body] of answers) {
    const cut = cutIntoItems(path, body)
    if (cut === undefined) {
      document.get(path, body)
      continue
    }
    page.run(path, cut.head, cut.between, cut.tail)
    for (const [position, own] of cut.items.entries()) item.run(path, position, document.get(null, own).id)
  }
  const recipe = file.prepare('insert into floor_recipe values (?, ?)')
  for (const [method, one] of recipes) recipe.run(method, JSON.stringify(one))
  file.exec('commit; PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
}

/**
 * Gives the floor on PostgreSQL what the floor on SQLite has.
 * @param {string} data of the floor on SQLite
 * @param {string} url
 */
export async function fillPostgresFloor(data, url) {
  const file = new DatabaseSync(join(data, 'farm.sqlite'), { readOnly: true })
  await onServer(url, async (client) => {
    await client.query(`
      create table floor_document (id bigint primary key, path text unique, body text not null);
      create table floor_page (path text primary key, head text, joint text, tail text);
      create table floor_item (page text, position integer, document bigint, primary key (page, position));
      create table floor_recipe (method text primary key, recipe text)`)
    for (const table of ['document', 'page', 'item', 'recipe']) await copyTable(client, file, `floor_${table}`)
    await client.query(`alter table floor_page add tag text; update floor_page set tag = '"' || md5(path) || '"'`)
    await client.query('vacuum analyze')
  })
  file.close()
}

/** Text before, between and after the records of a list. */
function framesOf(/** @type {string} */ path) {
  if (path.includes('.xml')) return ['<log>', '', '</log>']
  return path.startsWith('/changes') ? ['"changes":[', ',', '],"next"'] : ['"list":[', ',', ']}']
}

/** A list's records and the text around them; undefined for other answers. */
function cutIntoItems(/** @type {string} */ path, /** @type {string} */ body) {
  if (!path.includes('?')) return undefined
  if (path.startsWith('/api/')) return cutResources(path, body)
  const [open = '', between = '', close = ''] = framesOf(path)
  const start = body.indexOf(open) + (between === '' ? 0 : open.length)
  const end = body.lastIndexOf(close) + (between === '' ? close.length : 0)
  const inner = body.slice(start, end)
  const items =
    between === ''
      ? inner.split(/(?<=<\/log>)(?=<log>)/)
      : JSON.parse(`[${inner}]`).map((/** @type {unknown} */ one) => JSON.stringify(one))
  if (items.join(between) !== inner) throw new Error(`${path} cannot be joined from its records`)
  return { head: body.slice(0, start), items, between, tail: body.slice(end) }
}

/** The primary and included resources of a page; text between the two lists belongs to the last one before it. */
function cutResources(/** @type {string} */ path, /** @type {string} */ body) {
  const { data, included = [] } = JSON.parse(body)
  const [shown = [], beside = []] = [data, included].map((list) =>
    list.map((/** @type {unknown} */ one) => JSON.stringify(one)),
  )
  const start = body.indexOf('"data":[') + '"data":['.length
  const items = [...shown]
  if (beside.length > 0) items.push(`${items.pop()}],"included":[${beside[0]}`, ...beside.slice(1))
  const end = start + items.join(',').length
  if (items.join(',') !== body.slice(start, end)) throw new Error(`${path} cannot be joined from its resources`)
  return { head: body.slice(0, start), items, between: ',', tail: body.slice(end) }
}

/**
 * Lets Furrow create one log and change one, in both generations, and records the rows written.
 * @param {Target} target
 * @param {{ data: string, cases: readonly Case[] }} about
 */
export async function writeRecipes(target, { data, cases }) {
  const asked = (/** @type {string} */ name, nth = 0) => {
    const ask = cases.find((one) => one.name === name)?.asks[nth]
    if (ask === undefined) throw new Error(`There is no case ${name}`)
    return ask
  }
  const file = new DatabaseSync(join(data, 'farm.sqlite'))
  const post = await answerOf(target, asked('post'))
  const changing = asked('put')
  const before = rowsOf(file, { type: 'log', id: Number(changing.path.split('/').pop()) })
  const put = await answerOf(target, changing)
  const { id, name } = JSON.parse(post.body)
  const changed = JSON.parse(put.body)
  const made = rowsOf(file, { type: 'log', id: Number(id) })
  const after = rowsOf(file, { type: 'log', id: Number(changed.id) })
  const posted = await postedTogether(target, file, [asked('api-post'), asked('api-post', laneCount)])
  file.close()
  return new Map([
    ['POST', { statements: made.map(insertion), ...template(post, { id, name }) }],
    ['PUT', { statements: changeOf(before, after), ...template(put, { id: changed.id, name: changed.name }) }],
    ...posted,
  ])
}

/**
 * A quantity, and the log that takes it.
 * @param {Target} target
 * @param {import('@photostructure/sqlite').DatabaseSyncInstance} file
 * @param {import('./cases.mjs').Ask[]} asks
 */
async function postedTogether(target, file, asks) {
  /** @type {[string, object][]} */
  const recipes = []
  let carried = ''
  for (const ask of asks) {
    const answer = await answerOf(target, { ...ask, body: ask.body?.replace('@quantity', carried) ?? '' })
    if (answer.status !== 201) throw new Error(`${ask.path} gave ${answer.status}: ${answer.body.slice(0, 500)}`)
    const { data } = JSON.parse(answer.body)
    carried = data.id
    const type = ask.path.startsWith('/api/quantity') ? 'quantity' : 'log'
    const { id } = file.prepare(`select id from "${type}" where uuid = ?`).get(carried)
    const statements = rowsOf(file, { type, id: Number(id) }).map(insertion)
    recipes.push([
      `POST ${ask.path}`,
      { statements, ...template(answer, { id: '', name: data.attributes.name ?? '' }) },
    ])
  }
  return recipes
}

/**
 * @param {{ body: string, headers: Headers }} answer
 * @param {{ id: string, name: string }} own what is different for every record
 */
const template = ({ body, headers }, { id, name }) => ({
  answer: body.replaceAll(`/log/${id}"`, '/log/@id"').replace(`"id":"${id}"`, '"id":"@id"').replace(name, '@name'),
  location: headers.get('location')?.replace(/\d+$/, '@id') ?? '',
})

/** @typedef {{ table: string, row: Record<string, any> }} TableRow */

/** @typedef {{ type: 'log' | 'quantity', id: number }} Written */

/** Every row, in any table, that belongs to a log or a quantity. @returns {TableRow[]} */
function rowsOf(/** @type {import('@photostructure/sqlite').DatabaseSyncInstance} */ file, /** @type {Written} */ of) {
  const ofType = {
    type: `type = '${of.type}'`,
    record_type: `record_type = '${of.type}'`,
    path: `path in (select id from path where source_type = '${of.type}')`,
  }
  const tables = file.prepare("select name from sqlite_master where type = 'table'").all()
  return tables.flatMap(({ name: table }) => {
    const columns = file.prepare(`select name from pragma_table_info(?)`).all(table)
    const has = (/** @type {string} */ column) => columns.some(({ name }) => name === column)
    if (table === 'change_set') return setsOf(file, of)
    const key = keyIn(table, of, has)
    if (key === undefined) return []
    const where = Object.entries(ofType).flatMap(([column, condition]) => (has(column) ? [` and ${condition}`] : []))
    const rows = file.prepare(`select * from "${table}" where "${key}" = ?${where.join('')}`).all(of.id)
    // Quantities of a log have their own ids.
    return rows.map(({ id, ...row }) => ({ table, row: { ...row, [key]: '@id' } }))
  })
}

/**
 * The column with the id of the record that a row belongs to.
 * @param {string} table
 * @param {Written} of
 * @param {(column: string) => boolean} has
 */
function keyIn(table, { type }, has) {
  if (table === type) return 'id'
  if (table === 'identity') return 'number'
  const keys = type === 'log' ? ['log_id', 'record_id', 'source_id'] : ['record_id', 'source_id']
  return keys.find(has)
}

/** The change sets of its changes. @returns {TableRow[]} */
function setsOf(
  /** @type {import('@photostructure/sqlite').DatabaseSyncInstance} */ file,
  /** @type {Written} */ { type, id },
) {
  const sets = 'select set_id from journal where record_type = ? and record_id = ?'
  const rows = file.prepare(`select * from change_set where id in (${sets}) order by id`).all(type, id)
  return rows.map((row) => ({ table: 'change_set', row }))
}

/** True if the column holds a unique UUID per row. */
const isUuid = (/** @type {string} */ table, /** @type {string} */ name) =>
  name === 'uuid' || name === 'set_id' || (table === 'change_set' && name === 'id')

/** @param {TableRow} one */
function insertion({ table, row }) {
  const { sequence: _, ...columns } = row
  const names = Object.keys(columns)
  const places = names.map((name) => (isUuid(table, name) ? 'lower(hex(randomblob(16)))' : '?'))
  const sql = `insert into "${table}" (${names.map((name) => `"${name}"`)}) values (${places})`
  return {
    sql,
    values: names.filter((name) => !isUuid(table, name)).map((name) => (name === 'name' ? '@name' : columns[name])),
  }
}

/**
 * A change writes the differing parts of the record, the journal, and changed comparison keys.
 * @param {TableRow[]} before
 * @param {TableRow[]} after
 */
function changeOf(before, after) {
  const recordIn = (/** @type {TableRow[]} */ rows) => rows.find(({ table }) => table === 'log')?.row ?? {}
  const [old, record] = [recordIn(before), recordIn(after)]
  const names = Object.keys(record).filter((name) => record[name] !== old[name])
  const values = names.map((name) => (name === 'name' ? '@name' : record[name]))
  const lastOf = (/** @type {string} */ wanted) => after.filter(({ table }) => table === wanted).slice(-1)
  const noted = [...lastOf('journal'), ...lastOf('change_set')]
  const was = new Set(before.map((row) => JSON.stringify(row)))
  const facets = after.filter((row) => row.table === 'facet' && !was.has(JSON.stringify(row)))
  return [
    { sql: `update log set ${names.map((name) => `"${name}" = ?`)} where id = ?`, values: [...values, '@id'] },
    ...facets.map(({ row }) => ({
      sql: 'delete from facet where record_id = ? and path = ?',
      values: ['@id', row.path],
    })),
    ...[...facets, ...noted].map(insertion),
  ]
}
