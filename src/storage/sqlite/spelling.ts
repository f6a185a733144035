import { type SelectModifierNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Spelling } from '../sql/queries.ts'

/** The one writer locks everything, so that row locks are left out and the same queries run on both engines. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct' || node.rawModifier) super.visitSelectModifier(node)
  }
}

export const spelling: Spelling = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (queries) => new SqliteIntrospector(queries),
  createQueryCompiler: () => new LocklessQueryCompiler(),
}
