import { DatabaseSync } from '@photostructure/sqlite'
import { Client } from 'pg'

/**
 * @typedef {{ table: string, name: string, numbered: boolean }} Column `numbered`: the database gives each row its number
 *
 * @typedef {object} Beside the database of a farm, opened beside its server
 * @property {(question: string) => Promise<any[]>} ask
 * @property {() => Promise<Column[]>} columns
 * @property {() => Promise<void>} close
 */

/** @param {string} path @returns {Beside} */
export function besideFile(path) {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  const ask = async (/** @type {string} */ question) => file.prepare(question).all()
  return {
    ask,
    columns: () =>
      /** @type {Promise<any[]>} */ (
        ask(`select m.name as "table", c.name, c.pk and m.sql like '%autoincrement%' as numbered
          from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`)
      ),
    close: async () => file.close(),
  }
}

/** @param {string} url @returns {Promise<Beside>} */
export async function besideServer(url) {
  const client = new Client({ connectionString: url })
  // A server that ends is reported by the failing query.
  client.on('error', () => {})
  await client.connect()
  const ask = async (/** @type {string} */ question) => (await client.query(question)).rows
  return {
    ask,
    columns: () =>
      ask(`select table_name as "table", column_name as name, is_identity = 'YES' as numbered
        from information_schema.columns where table_schema = 'public'`),
    close: () => client.end(),
  }
}
