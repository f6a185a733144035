import {
  type Driver,
  Kysely,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from '../tables.ts'

export function queriesOver(driver: Driver): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (queries) => new SqliteIntrospector(queries),
      createQueryCompiler: () => new LocklessQueryCompiler(),
    },
  })
}

/** The one writer locks everything, so that row locks are left out and the same queries run on both engines. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct' || node.rawModifier) super.visitSelectModifier(node)
  }
}
