import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/** What requests may write without changing the farm: who logged in, what was tried, which answers are kept. */
const ofTheMoment =
  /^(sqlite_.*|session|token_family|access_token|refresh_token|authorization_.*|login_.*|access_event)$/

/** Looks into the database beside the server. */
export class Onlooker {
  #file
  /** @type {{ table: string, statement: import('@photostructure/sqlite').StatementSyncInstance }[]} */
  #questions

  constructor(/** @type {string} */ data) {
    this.#file = new DatabaseSync(join(data, 'farm.sqlite'), { readOnly: true, timeout: 5000 })
    const tables = this.#file.prepare("select name from sqlite_master where type = 'table'").all()
    this.#questions = tables
      .map(({ name }) => String(name))
      .filter((table) => !ofTheMoment.test(table))
      .map((table) => ({ table, statement: this.#file.prepare(`select ${this.#sums(table)} from "${table}"`) }))
  }

  /** The number of rows, and the sum of what grows with every change. */
  #sums(/** @type {string} */ table) {
    const columns = this.#file.prepare('select name from pragma_table_info(?)').all(table)
    const growing = columns.map(({ name }) => name).filter((name) => /^(revision|sequence|count|changed)$/.test(name))
    return ['count(*) as n', ...growing.map((name) => `sum("${name}") as "${name}"`)].join(', ')
  }

  /** One line for each table. */
  look() {
    return this.#questions.map(({ table, statement }) => `${table} ${JSON.stringify(statement.get())}`)
  }

  close() {
    this.#file.close()
  }
}
