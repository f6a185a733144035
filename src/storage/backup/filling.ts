import type { Writing } from '../database.ts'
import { insertSheaf, type Sheaf } from '../insertion.ts'
import { copyOf } from '../postgres/copy.ts'

/** Brings many rows in, by the way that costs the engine the least. */
export async function fill(rows: Writing, sheaves: readonly Sheaf[]): Promise<void> {
  for (const sheaf of sheaves) {
    if (rows.engine === 'sqlite') await insertSheaf(rows, sheaf)
    else await rows.executeQuery(copyOf(sheaf))
  }
}

/** Fills one after the other, while what comes next is being read: the database has its own processor. */
export class Conveyor {
  #filling: Promise<void> = Promise.resolve()

  /** Resolves when what was added before is in. */
  async add(rows: Writing, sheaves: readonly Sheaf[]): Promise<void> {
    await this.#filling
    this.#filling = fill(rows, sheaves)
    // Whoever adds the next or waits for the end is told of it.
    this.#filling.catch(() => {})
  }

  end(): Promise<void> {
    return this.#filling
  }
}
