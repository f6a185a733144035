import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { PoolClient, Submittable } from 'pg'
import type { Transaction } from '../database.ts'
import { statementOf } from '../sql/prepared.ts'
import type { Tables } from '../sql/tables.ts'

/** Rows of one table: their values one row after the other, in the order of the columns. */
export interface RowValues {
  readonly table: keyof Tables
  readonly columns: readonly string[]
  readonly values: Iterable<unknown>
}

/** Stands where a statement has its parameters, if rows follow it instead. */
export class CopiedRows {
  readonly sheaf: RowValues

  constructor(sheaf: RowValues) {
    this.sheaf = sheaf
  }
}

/**
 * One statement for any number of rows, which the server reads as they come: it parses no values and plans nothing. Belongs to
 * the prepared queries, as inserting does (../insertion.ts).
 */
export async function copyIn(tx: Transaction, sheaf: RowValues): Promise<void> {
  const names = sheaf.columns.map((column) => `"${column}"`).join()
  const statement = `copy "${sheaf.table}" (${names}) from stdin`
  await tx.executeQuery(statementOf(statement, [new CopiedRows(sheaf)]))
}

export const copyRows = (client: PoolClient, statement: string, { sheaf }: CopiedRows): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Copy(statement, sheaf, { resolve, reject }))
  })

/** Members of the driver's connection that its types lack. */
interface CopyingConnection {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

interface Outcome {
  resolve(): void
  reject(error: unknown): void
}

/** The driver calls a query back as the server answers it. */
class Copy implements Submittable {
  readonly #statement: string
  readonly #sheaf: RowValues
  readonly #outcome: Outcome
  #fault: unknown
  #failed = false

  constructor(statement: string, sheaf: RowValues, outcome: Outcome) {
    this.#statement = statement
    this.#sheaf = sheaf
    this.#outcome = outcome
  }

  submit(connection: object): void {
    ;(connection as CopyingConnection).query(this.#statement)
  }

  /** The server already takes rows in while the next are being spelled. */
  async handleCopyInResponse(connection: CopyingConnection): Promise<void> {
    const { stream } = connection
    try {
      for (const text of textOf(this.#sheaf)) {
        if (this.#failed) return
        connection.sendCopyFromChunk(Buffer.from(text))
        if (stream.writableNeedDrain) await once(stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      // The fault is in the rows; the server answers with its own error.
      this.#fault = error
      connection.sendCopyFail('The rows end here')
    }
  }

  handleError(error: unknown): void {
    this.#failed = true
    this.#outcome.reject(this.#fault ?? error)
  }

  handleReadyForQuery(): void {
    this.#outcome.resolve()
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
}

const charactersAtOnce = 65_536

/** PostgreSQL's own text form of rows, in portions. */
function* textOf({ columns, values }: RowValues): Generator<string> {
  let text = ''
  let column = 0
  for (const value of values) {
    column += 1
    text += spelled(value)
    if (column < columns.length) {
      text += '\t'
      continue
    }
    text += '\n'
    column = 0
    if (text.length < charactersAtOnce) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const special = /[\\\n\r\t]/
const everySpecial = /[\\\n\r\t]/g

function spelled(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return special.test(text) ? text.replace(everySpecial, (one) => escapes[one] ?? one) : text
}
