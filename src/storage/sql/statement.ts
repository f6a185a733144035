import { CompiledQuery } from 'kysely'

const { query, queryId } = CompiledQuery.raw('')

/** SQL with its values, as a connection takes it. What Kysely's own has beside these nobody reads, and takes longer to make than many a statement to run. */
export const statementOf = <R>(sql: string, parameters: readonly unknown[]): CompiledQuery<R> => ({
  sql,
  parameters,
  query,
  queryId,
})
