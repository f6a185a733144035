import type { Engine } from '../database.ts'
import { Ddl } from './ddl.ts'
import { migrations } from './migrations.ts'

/** What the migrations make, by name. */
export interface Blueprint {
  readonly tables: ReadonlySet<string>
  /** Each with the table that it rests on. */
  readonly indexes: ReadonlyMap<string, string>
  readonly triggers: ReadonlyMap<string, string>
  readonly functions: ReadonlySet<string>
}

/** Works out what has to be there at a version of the tables: the migrations are heard, and nothing is made. */
export async function blueprintOf(engine: Engine, version: number): Promise<Blueprint> {
  const drawing = new Drawing()
  const ddl = new Ddl(engine, async (statement) => {
    drawing.note(statement)
    return []
  })
  for (const { up } of migrations.slice(0, version)) await up(ddl)
  return drawing
}

class Drawing implements Blueprint {
  readonly tables = new Set<string>(['migration'])
  readonly indexes = new Map<string, string>()
  readonly triggers = new Map<string, string>()
  readonly functions = new Set<string>()

  readonly #meanings: readonly (readonly [RegExp, (first: string, second: string) => void])[] = [
    [/^CREATE TABLE "(\w+)"/, (table) => this.tables.add(table)],
    [/^CREATE INDEX "(\w+)" ON "(\w+)"/, (index, table) => this.indexes.set(index, table)],
    [/^CREATE TRIGGER (\w+) AFTER \w+ ON "(\w+)"/, (trigger, table) => this.triggers.set(trigger, table)],
    [/^CREATE FUNCTION (\w+)\(/, (name) => this.functions.add(name)],
    [/^ALTER TABLE (\w+) RENAME TO (\w+)$/, (table, name) => this.#rename(table, name)],
    [/^DROP INDEX (\w+)$/, (index) => this.indexes.delete(index)],
    [/^DROP TABLE (\w+)$/, (table) => this.#drop(table)],
  ]

  note(statement: string): void {
    if (/^INSERT /.test(statement) || /^SELECT /.test(statement)) return
    for (const [pattern, take] of this.#meanings) {
      const [found, first = '', second = ''] = pattern.exec(statement) ?? []
      if (found !== undefined) return void take(first, second)
    }
    throw new Error(`What a migration does has no place in the blueprint: ${statement}`)
  }

  #rename(table: string, name: string): void {
    this.tables.delete(table)
    this.tables.add(name)
    for (const resting of [this.indexes, this.triggers]) {
      for (const [what, on] of resting) if (on === table) resting.set(what, name)
    }
  }

  #drop(table: string): void {
    this.tables.delete(table)
    for (const resting of [this.indexes, this.triggers]) {
      for (const [what, on] of resting) if (on === table) resting.delete(what)
    }
  }
}
