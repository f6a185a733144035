import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { builtFile } from './build.mjs'
import { onServer } from './postgres.mjs'

/** @typedef {import('@photostructure/sqlite').DatabaseSyncInstance} SqliteFile */

/**
 * Copies every row of the embedded database into an empty PostgreSQL database.
 * @param {string} dist
 * @param {string} data
 * @param {string} url
 */
export async function copyToPostgres(dist, data, url) {
  /** @type {typeof import('../src/storage/open.ts')} */
  const { openDatabase } = await builtFile(dist, 'storage/open.js')
  await (await openDatabase({ data, database: url })).close()
  const file = new DatabaseSync(join(data, 'farm.sqlite'), { readOnly: true })
  await onServer(url, async (client) => {
    await client.query('set session_replication_role = replica; set synchronous_commit = off')
    const { rows: indexes } = await client.query(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       join pg_class on pg_class.oid = indrelid where relnamespace = 'public'::regnamespace and not indisunique`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const table of tablesOf(file)) {
      await client.query(`truncate "${table}"`)
      await copyTable(client, file, table)
    }
    for (const { definition } of indexes) await client.query(definition)
    await continueNumbers(client)
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  file.close()
}

/** @param {SqliteFile} file @returns {string[]} */
const tablesOf = (file) =>
  file
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'")
    .all()
    .map(({ name }) => name)

const rowsAtOnce = 500

/** @param {import('pg').Client} client @param {SqliteFile} file @param {string} table */
export async function copyTable(client, file, table) {
  const columns = file.prepare('select name from pragma_table_info(?)').all(table)
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  // Keeps a reference: the driver finalises an unreferenced statement even while its rows are read.
  const statement = file.prepare(`select ${names} from "${table}"`)
  function* lines() {
    let text = ''
    let count = 0
    for (const row of statement.iterate()) {
      text += `${Object.values(/** @type {Record<string, unknown>} */ (row))
        .map(spelled)
        .join('\t')}\n`
      if (++count % rowsAtOnce > 0) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
  }
  await new Promise((resolve, reject) => {
    client.query(/** @type {any} */ (copyIn(`copy "${table}" (${names}) from stdin`, lines(), { resolve, reject })))
  })
}

/** @type {Record<string, string>} */
const escapes = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** PostgreSQL's text form of a value in COPY. */
function spelled(/** @type {unknown} */ value) {
  if (value === null) return '\\N'
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`
  return String(value).replace(/[\\\n\r\t]/g, (one) => escapes[one] ?? one)
}

/**
 * The interface that the driver expects of a query, for one that sends rows.
 * @param {string} statement
 * @param {Iterable<string>} lines
 * @param {{ resolve: (value?: unknown) => void, reject: (error: unknown) => void }} promise
 */
function copyIn(statement, lines, { resolve, reject }) {
  return {
    submit: (/** @type {any} */ connection) => connection.query(statement),
    async handleCopyInResponse(/** @type {any} */ connection) {
      for (const text of lines) {
        connection.sendCopyFromChunk(Buffer.from(text))
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    },
    handleRowDescription() {},
    handleCommandComplete() {},
    handleReadyForQuery: () => resolve(),
    handleError: reject,
  }
}

/** Sets the sequences after the copied ids. @param {import('pg').Client} client */
async function continueNumbers(client) {
  const { rows } = await client.query(
    `select table_name, column_name from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`,
  )
  for (const { table_name: table, column_name: column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), coalesce(max("${column}"), 0) + 1, false) from "${table}"`,
    )
  }
}
