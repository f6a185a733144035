import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { root } from '../../bench/build.mjs'

const fixtures = join(root, 'test/fixtures')

/** Versions that were in use: each has a farm in test/fixtures. */
export const earlierVersions = async () =>
  (await readdir(fixtures))
    .flatMap((name) => /^version-(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)

/** @param {number} version @param {string} name */
const fileOf = (version, name) => readFile(join(fixtures, `version-${version}`, 'sqlite', name))

/** Answers of that version, by path. @param {number} version @returns {Promise<Record<string, any[]>>} */
export const answersOf = async (version) => JSON.parse((await fileOf(version, 'records.json')).toString())

const uuidForm = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const perTransaction = 50_000

/**
 * @typedef {import('@photostructure/sqlite').DatabaseSyncInstance} SqliteFile
 * @typedef {Record<string, any>} Row
 * @typedef {{ id: number, of: number }} Copy a log that says the same as another
 *
 * @typedef {object} Template a log and all that the tables have about it
 * @property {Row} log
 * @property {readonly [table: string, column: string, rows: readonly Row[]][]} others
 * @property {readonly Row[]} journal
 * @property {readonly Row[]} identity from version 7 on
 */

/**
 * Grows a farm of an earlier version by copying its own rows, so that no code of the present version is involved.
 * @param {string} data
 * @param {{ version: number, logs: number }} wanted
 */
export async function growEarlierFarm(data, { version, logs }) {
  await mkdir(data, { mode: 0o700, recursive: true })
  const path = join(data, 'farm.sqlite')
  await writeFile(path, gunzipSync(await fileOf(version, 'farm.sqlite.gz')), { mode: 0o600 })
  const file = new DatabaseSync(path)
  for (const pragma of ['synchronous=OFF', 'cache_size=-500000', 'temp_store=MEMORY']) file.exec(`PRAGMA ${pragma}`)
  const indexes = file.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null").all()
  for (const { name } of indexes) file.exec(`drop index "${name}"`)
  const copies = copyLogs(file, logs)
  for (const { sql } of indexes) file.exec(sql)
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
  return { copies }
}

/** @param {SqliteFile} file @param {number} logs @returns {Copy[]} */
function copyLogs(file, logs) {
  const templates = templatesIn(file)
  const { last, count } = file.prepare('select max(id) as last, count(*) as count from log').get()
  const insert = inserting(file)
  const nextUuid = uuidsAfter(last)
  /** @type {Copy[]} */
  const copies = []
  file.exec('begin')
  for (let id = last + 1; count + copies.length < logs; id += 1) {
    const template = templates[id % templates.length]
    if (template === undefined) break
    const { log, others, journal, identity } = template
    const renewed = renewing(log, nextUuid)
    insert('log', { ...log, id, uuid: renewed(log.uuid), fields: renewed(log.fields) })
    for (const [table, column, rows] of others) for (const row of rows) insert(table, { ...row, [column]: id })
    for (const row of identity) insert('identity', { ...row, uuid: renewed(row.uuid), number: id })
    for (const { sequence: _, ...entry } of journal) {
      const after = renewed(JSON.stringify({ ...JSON.parse(entry.after), id }))
      insert('journal', { ...entry, record_id: id, after })
    }
    copies.push({ id, of: log.id })
    if (copies.length % perTransaction === 0) file.exec('commit; begin')
  }
  file.exec('commit')
  return copies
}

/**
 * Logs without movements and files, so that a copy has no other effect.
 * @param {SqliteFile} file
 * @returns {Template[]}
 */
function templatesIn(file) {
  const logs = file
    .prepare('select * from log where id not in (select log_id from stay) order by id')
    .all()
    .filter(({ fields }) => {
      const { files = [], images = [] } = JSON.parse(fields)
      return files.length + images.length === 0
    })
  /** @param {string} table @param {string} column @param {number | string} id */
  const about = (table, column, id) => file.prepare(`select * from "${table}" where "${column}" = ?`).all(id)
  /** @param {string} table @param {string} column @param {number} id */
  const inIndex = (table, column, id) => about(table, column, id).filter(({ path }) => pathsOfLogs.has(path))
  const pathsOfLogs = new Set(
    file
      .prepare("select id from path where source_type = 'log'")
      .all()
      .map(({ id }) => id),
  )
  const hasIdentities = file.prepare("select 1 from sqlite_master where name = 'identity'").get() !== undefined
  return logs.map((log) => ({
    log,
    identity: hasIdentities ? about('identity', 'uuid', log.uuid) : [],
    others: [
      ['reference', 'source_id', inIndex('reference', 'source_id', log.id)],
      ['facet', 'record_id', inIndex('facet', 'record_id', log.id)],
      ['inventory_change', 'log_id', about('inventory_change', 'log_id', log.id)],
    ],
    journal: about('journal', 'record_id', log.id).filter(({ record_type }) => record_type === 'log'),
  }))
}

/** Gives the log and its parts new UUIDs, consistently. @param {Row} log @param {(old: string) => string} nextUuid */
function renewing(log, nextUuid) {
  const renewed = new Map(
    [log.uuid, ...(log.fields.match(uuidForm) ?? [])].map((/** @type {string} */ old) => [old, nextUuid(old)]),
  )
  return (/** @type {string} */ text) => text.replace(uuidForm, (old) => renewed.get(old) ?? nextUuid(old))
}

/** @param {number} last */
function uuidsAfter(last) {
  let count = last
  return (/** @type {string} */ old) => {
    count += 1
    return old.slice(0, 24) + count.toString(16).padStart(12, '0')
  }
}

/** @param {SqliteFile} file */
function inserting(file) {
  /** @type {Map<string, { names: string[], statement: import('@photostructure/sqlite').StatementSyncInstance }>} */
  const prepared = new Map()
  return (/** @type {string} */ table, /** @type {Row} */ row) => {
    let known = prepared.get(table)
    if (known === undefined) {
      const names = Object.keys(row)
      const columns = names.map((name) => `"${name}"`).join(', ')
      const statement = file.prepare(`insert into "${table}" (${columns}) values (${names.map(() => '?').join(', ')})`)
      known = { names, statement }
      prepared.set(table, known)
    }
    known.statement.run(...known.names.map((name) => bindable(row[name])))
  }
}

/** The driver binds integers beyond 32 bits as floating point unless they are bigints. */
const bindable = (/** @type {any} */ value) =>
  typeof value === 'number' && (value | 0) !== value ? BigInt(value) : value

/** @param {string} path @param {readonly string[]} tables @returns {Record<string, number>} */
export function rowsOf(path, tables) {
  return inFile(path, (file) =>
    Object.fromEntries(tables.map((table) => [table, file.prepare(`select count(*) as n from "${table}"`).get().n])),
  )
}

/** @param {string} path @returns {number} */
export const versionOf = (path) =>
  inFile(path, (file) => file.prepare('select max(version) as version from migration').get().version)

/** @template T @param {string} path @param {(file: SqliteFile) => T} look */
function inFile(path, look) {
  const file = new DatabaseSync(path)
  try {
    return look(file)
  } finally {
    file.close()
  }
}
