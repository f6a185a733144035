import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'

/** The operations on a file that need no prepared statement. */
export interface PlainFile {
  run(statement: string): void
  /** The values of one expression over the rows of what follows `from`. */
  list(expression: string, from: string): unknown[]
}

/**
 * Works on a SQLite file and really lets go of it afterwards. With this driver a connection that has prepared a statement lives on,
 * with its locks, until the statement is collected as garbage; so nothing is prepared here, and answers come by way of a function.
 */
export function onPlainFile<T>(path: string, work: (file: PlainFile) => T): T {
  const file = new DatabaseSync(path, { timeout: 2000 })
  const told: unknown[] = []
  try {
    file.function('tell', (value: unknown) => {
      told.push(value)
      return null
    })
    return work({
      run: (statement) => file.exec(statement),
      list(expression, from) {
        file.exec(`select tell(${expression}) from ${from}`)
        return told.splice(0)
      },
    })
  } finally {
    file.close()
  }
}

/**
 * Everything in the file as one new file, in one snapshot; unlike SQLite's stepwise backup it does not begin again. Made empty
 * beforehand, the copy is for its owner only.
 */
export function copyWhole(path: string, copy: string): void {
  closeSync(openSync(copy, 'ax', 0o600))
  onPlainFile(path, (file) => file.run(`VACUUM INTO '${copy.replaceAll("'", "''")}'`))
}

export const isSound = (path: string): boolean =>
  onPlainFile(path, (file) => file.list('integrity_check', 'pragma_integrity_check').join() === 'ok')
