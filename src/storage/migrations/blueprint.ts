import type { Engine } from '../database.ts'
import { Ddl } from './ddl.ts'
import { migrationsBetween } from './migrations.ts'

/** A unique constraint. The engine names it, so it is known by its columns. */
interface BlueprintKey {
  readonly kind: 'primary key' | 'unique key'
  readonly columns: readonly string[]
}

/** The schema that the migrations make, by name. */
interface Blueprint {
  readonly tables: ReadonlySet<string>
  /** By table. */
  readonly keys: ReadonlyMap<string, readonly BlueprintKey[]>
  /** Each with the table that it rests on. */
  readonly indexes: ReadonlyMap<string, string>
  readonly triggers: ReadonlyMap<string, string>
  readonly functions: ReadonlySet<string>
}

/** Works out what has to be there at a version of the tables: the migrations are heard, and nothing is made. */
export async function blueprintOf(engine: Engine, version: number): Promise<Blueprint> {
  const drawing = new BlueprintBuilder()
  const ddl = new Ddl(engine, async (statement) => {
    drawing.note(statement)
    return []
  })
  for (const { up } of migrationsBetween(0, version)) await up(ddl, () => {})
  return drawing
}

class BlueprintBuilder implements Blueprint {
  readonly tables = new Set<string>(['migration'])
  readonly keys = new Map<string, readonly BlueprintKey[]>([
    ['migration', [{ kind: 'primary key', columns: ['version'] }]],
  ])
  readonly indexes = new Map<string, string>()
  readonly triggers = new Map<string, string>()
  readonly functions = new Set<string>()

  readonly #meanings: readonly (readonly [RegExp, (first: string, second: string) => void])[] = [
    [/^CREATE TABLE "(\w+)" (.*)$/, (table, rest) => this.#add(table, rest)],
    [/^CREATE INDEX "(\w+)" ON "(\w+)"/, (index, table) => this.indexes.set(index, table)],
    [/^CREATE TRIGGER (\w+) AFTER \w+ ON "(\w+)"/, (trigger, table) => this.triggers.set(trigger, table)],
    [/^CREATE FUNCTION (\w+)\(/, (name) => this.functions.add(name)],
    [/^ALTER TABLE (\w+) RENAME TO (\w+)$/, (table, name) => this.#rename(table, name)],
    [/^ALTER TABLE (\w+) (?:ADD|ALTER) COLUMN /, () => {}],
    [/^DROP INDEX IF EXISTS (\w+)$/, (index) => this.indexes.delete(index)],
    [/^DROP TABLE (\w+)$/, (table) => this.#drop(table)],
  ]

  note(statement: string): void {
    if (/^(INSERT|SELECT|UPDATE|DELETE) /.test(statement)) return
    for (const [pattern, take] of this.#meanings) {
      const [found, first = '', second = ''] = pattern.exec(statement) ?? []
      if (found !== undefined) return void take(first, second)
    }
    throw new Error(`What a migration does has no place in the blueprint: ${statement}`)
  }

  #add(table: string, rest: string): void {
    this.tables.add(table)
    this.keys.set(table, keysIn(rest))
  }

  #rename(table: string, name: string): void {
    this.tables.delete(table)
    this.tables.add(name)
    this.keys.set(name, this.keys.get(table) ?? [])
    this.keys.delete(table)
    for (const resting of [this.indexes, this.triggers]) {
      for (const [what, on] of resting) if (on === table) resting.set(what, name)
    }
  }

  #drop(table: string): void {
    this.tables.delete(table)
    this.keys.delete(table)
    for (const resting of [this.indexes, this.triggers]) {
      for (const [what, on] of resting) if (on === table) resting.delete(what)
    }
  }
}

/** A number of its own is a column's own business, other keys stand after the columns. */
function keysIn(table: string): readonly BlueprintKey[] {
  const numbers = [...table.matchAll(/"(\w+)" [^,"]*PRIMARY KEY (?!\()/g)]
  const others = [...table.matchAll(/(PRIMARY KEY|UNIQUE) \((["\w, ]+)\)/g)]
  return [
    ...numbers.map(([, column = '']) => ({ kind: 'primary key', columns: [column] }) as const),
    ...others.map(([, word, columns = '']) => ({
      kind: word === 'UNIQUE' ? ('unique key' as const) : ('primary key' as const),
      columns: [...columns.matchAll(/\w+/g)].map(([column]) => column),
    })),
  ]
}
