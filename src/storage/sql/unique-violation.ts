import { postgresCode } from '../postgres/errors.ts'
import { sqliteCode } from '../sqlite/errors.ts'

const sqliteUnique = 2067
const sqlitePrimaryKey = 1555
const postgresUnique = '23505'

/** Whether a statement failed because another row already has the same unique key. The transaction it ran in is lost. */
export function isUniqueViolation(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === sqliteUnique || code === sqlitePrimaryKey || postgresCode(error) === postgresUnique
}
