import { postgresCode } from './errors.ts'

/** What the database said when it failed, without the values that it was given: those may be secrets. */
export interface DatabaseWords {
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly table?: string
  readonly constraint?: string
}

/** What PostgreSQL said, in an error or in what caused it. */
export function databaseWords(thrown: unknown): DatabaseWords | undefined {
  if (!(thrown instanceof Error)) return undefined
  const code = postgresCode(thrown)
  if (code === null) return databaseWords(thrown.cause)
  const { detail, table, constraint } = thrown as Error & Partial<DatabaseWords>
  return {
    code,
    message: withoutValue(code, thrown.message),
    ...(detail === undefined ? {} : { detail: withoutValues(detail) }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
  }
}

/** Class 22, about a value that does not fit, quotes it; the others quote names of ours. */
const withoutValue = (code: string, message: string): string =>
  code.startsWith('22') ? message.replace(/".*"/s, '"…"') : message

/** `Key (name)=(value) already exists.`, `Failing row contains (value, …).` */
const withoutValues = (detail: string): string => detail.replace(/(=|contains )\(.*\)/s, '$1(…)')
