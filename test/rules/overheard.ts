import { CompiledQuery } from 'kysely'
import type { Database, Snapshot, Transaction } from '../../src/storage/database.ts'

/** What one statement did to find its answer. */
export interface Heard {
  readonly sql: string
  /** SQLite: how it goes through each table. PostgreSQL: how many rows of the history it touched. */
  readonly steps: readonly string[]
  readonly touched: number
}

/** Every statement of `reading`, with the engine's own account of how it was answered. */
export async function overhear(
  database: Database,
  reading: (snapshot: Snapshot) => Promise<unknown>,
): Promise<readonly Heard[]> {
  return database.write(async (tx) => {
    const asked: CompiledQuery[] = []
    await reading(listeningTo(tx, asked))
    const heard: Heard[] = []
    for (const { sql, parameters } of asked) {
      const word = database.engine === 'sqlite' ? 'explain query plan' : 'explain (analyze, format json)'
      const plan = await tx.executeQuery<Plan>(CompiledQuery.raw(`${word} ${sql}`, [...parameters]))
      heard.push({
        sql,
        steps: plan.rows.flatMap(({ detail }) => detail ?? []),
        touched: plan.rows.reduce((sum, row) => sum + rowsTouched(row['QUERY PLAN']?.[0]?.Plan), 0),
      })
    }
    return heard
  })
}

/** Hears every prepared query. */
export const listeningTo = (tx: Transaction, asked: CompiledQuery[]): Snapshot => ({
  engine: tx.engine,
  fn: tx.fn,
  with: tx.with.bind(tx),
  selectNoFrom: tx.selectNoFrom.bind(tx),
  selectFrom: tx.selectFrom.bind(tx),
  executeQuery(query) {
    asked.push(query as CompiledQuery)
    return tx.executeQuery(query)
  },
})

interface Plan {
  readonly detail?: string
  readonly 'QUERY PLAN'?: readonly { readonly Plan: PlanNode }[]
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

const history: readonly (string | undefined)[] = ['stay', 'log', 'inventory_change']

function rowsTouched(node: PlanNode | undefined): number {
  if (node === undefined) return 0
  const each =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = history.includes(node['Relation Name']) ? Math.ceil(each * node['Actual Loops']) : 0
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsTouched(below), own)
}
