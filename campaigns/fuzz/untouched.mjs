/** Tables that requests may write without changing the farm: logins, attempts, stored answers. */
const ofTheMoment =
  /^(sqlite_.*|session|token_family|access_token|refresh_token|authorization_.*|login_.*|access_event)$/
/** The sum of these columns grows with every change. */
const growing = /^(revision|sequence|count|changed)$/

/** Observes the database beside the server. */
export class Onlooker {
  #beside
  #questions

  /** @param {import('./beside.mjs').Beside} beside @param {readonly import('./beside.mjs').Column[]} columns */
  constructor(beside, columns) {
    this.#beside = beside
    const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !ofTheMoment.test(table)).sort()
    this.#questions = tables.map((table) => {
      const own = columns.filter((column) => column.table === table && growing.test(column.name))
      const sums = ['count(*) as n', ...own.map(({ name }) => `sum("${name}") as "${name}"`)]
      return { table, question: `select ${sums.join(', ')} from "${table}"` }
    })
  }

  /** One line per table: the number of rows, and sums that grow with every change. */
  async look() {
    const lines = []
    for (const { table, question } of this.#questions) {
      const [sums] = await this.#beside.ask(question)
      lines.push(`${table} ${JSON.stringify(sums)}`)
    }
    return lines
  }
}
