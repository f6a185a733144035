import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/**
 * Functions that our SQL calls. `look` may throw, which ends the statement; it is called for some of the rows that a statement looks at, and
 * before a comparison that may take many steps.
 * This function also goes to a thread as its text: it may use nothing but its parameters.
 */
export function addFunctions(file: Pick<DatabaseSyncInstance, 'function'>, look: (steps: number) => void): void {
  file.function('pace', () => {
    look(0)
    return 1
  })
  let pattern = ''
  let expression = /(?:)/
  file.function('regexp', (asked: string, text: string) => {
    look(asked.length * text.length)
    if (asked !== pattern) {
      expression = new RegExp(asked)
      pattern = asked
    }
    return expression.test(text) ? 1 : 0
  })
}

/**
 * The statement as SQLite runs it. SQL that is written for both engines marks a scan with a comment that names a column of whole numbers: here
 * it becomes a call for every 64th number, and wherever a second column has a long text, which takes long to compare. The operator `~` is
 * PostgreSQL's, and is called REGEXP here.
 */
export const inSqlite = (sql: string): string =>
  sql.includes('/*pace ') || sql.includes(' ~ ')
    ? sql
        .replace(/\/\*pace (\w+) (\w+)\*\//g, '($1 & 63 <> 0 and coalesce(octet_length($2), 0) < 4096 or pace()) and')
        .replace(/\/\*pace ([\w.]+)\*\//g, '($1 & 63 <> 0 or pace()) and')
        .replaceAll(' ~ ', ' regexp ')
    : sql
