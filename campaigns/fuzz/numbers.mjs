/** @typedef {import('./farm.mjs').Farm} Farm */

/**
 * PostgreSQL uses up ids on a rollback, SQLite does not. Returns a function that sets PostgreSQL's sequences to
 * SQLite's ids, so that the next record has the same id on both.
 * @param {readonly Farm[]} farms
 */
export async function numbersOf(farms) {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map((name) => farms.find(({ engine }) => engine === name)?.beside)
  if (sqlite === undefined || postgres === undefined) return async () => {}
  const numbered = (await postgres.columns()).filter((column) => column.numbered)
  return async () => {
    const given = await sqlite.ask('select name, seq from sqlite_sequence')
    const steps = numbered.map(({ table, name }) => {
      const last = Number(given.find((one) => one.name === table)?.seq ?? 0)
      return `setval(pg_get_serial_sequence('${table}', '${name}'), ${Math.max(last, 1)}, ${last > 0})`
    })
    await postgres.ask(`select ${steps.join(', ')}`)
  }
}
