/** What requests may write without changing the farm: who logged in, what was tried, which answers are kept. */
const ofTheMoment =
  /^(sqlite_.*|session|token_family|access_token|refresh_token|authorization_.*|login_.*|access_event)$/
/** The sum of these grows with every change. */
const growing = /^(revision|sequence|count|changed)$/

/** Looks into the database beside the server. */
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

  /** One line for each table: the number of rows, and what grows with every change. */
  async look() {
    const lines = []
    for (const { table, question } of this.#questions) {
      const [sums] = await this.#beside.ask(question)
      lines.push(`${table} ${JSON.stringify(sums)}`)
    }
    return lines
  }
}
