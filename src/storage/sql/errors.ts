const busy = 5
const locked = 6
const ioError = 10
const corrupt = 11
const full = 13
const noDatabase = 26
const unique = 2067

/** Messages of SQLite, because the driver omits its code for statements that return rows. */
const words: readonly (readonly [RegExp, number])[] = [
  [/^database is locked/, busy],
  [/^database table is locked/, locked],
  [/^disk I\/O error/, ioError],
  [/^database disk image is malformed/, corrupt],
  [/^database or disk is full/, full],
  [/^file is not a database/, noDatabase],
  [/^UNIQUE constraint failed/, unique],
]

/** SQLite's extended result code, or null for an error of another kind. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode
  return words.find(([said]) => said.test(error.message))?.[1] ?? null
}

/** True if another connection or process holds the lock; the primary code is the extended code's low byte. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && [busy, locked].includes(code & 0xff)
}

/** True if the disk is full or failing. */
export function isDiskTrouble(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && [ioError, full].includes(code & 0xff)
}

/**
 * The SQLSTATE, or null for an error that did not come from the server. Those have a severity too; the driver, which has a
 * class for them, is loaded only where there is a server.
 */
export function postgresCode(error: unknown): string | null {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** The server ends a transaction that is idle for too long, and its connection. */
const idleTransaction = '25P03'

/** A statement was cancelled, by its timeout or from outside. */
const cancelled = '57014'

export const isCancelled = (error: unknown): boolean => postgresCode(error) === cancelled

/** The transaction had failed before, so that its statements are not carried out, and none is prepared. */
const afterFailure = ['25P02', '26000']

export const isAfterFailure = (error: unknown): boolean => afterFailure.includes(postgresCode(error) ?? '')

const conflicts = ['40001', '40P01']

/** Serialization failure or deadlock: the same work may well succeed the next time. */
export function isConflict(error: unknown): boolean {
  return conflicts.includes(postgresCode(error) ?? '')
}

/** Another node migrated the tables: statements prepared before that are refused until the connection is renewed. */
export function isStalePlan(error: unknown): boolean {
  return postgresCode(error) === '0A000' && String(error).includes('cached plan')
}

/** No room on the disk, no memory, a disk that fails, a database that only reads. */
const serverTakesNoMore = ['53100', '53200', '58030', '25006']

/** The server is a standby, which only reads: another one is or becomes the leader. */
export const isOnStandby = (error: unknown): boolean =>
  ['25006', '0A000'].includes(postgresCode(error) ?? '') && String(error).includes('during recovery')

export function isServerTrouble(error: unknown): error is Error {
  return serverTakesNoMore.includes(postgresCode(error) ?? '')
}

/** Shutdown, crash, start-up, a database or a login that is no longer there. */
const serverIsGone = ['57P01', '57P02', '57P03', '57P05', '28000', '28P01', '3D000']
const networkIsGone = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]
const clientIsGone = /^(Connection terminated|Client has encountered a connection error|Client was closed)/

/** A new connection led to a server that another one has replaced. */
export class FormerLeader extends Error {}

/** The database cannot be reached, or has ended the connection. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof FormerLeader) return true
  const state = postgresCode(error)
  if (state !== null) return state.startsWith('08') || serverIsGone.includes(state)
  return clientIsGone.test(error.message) || ('code' in error && networkIsGone.includes(String(error.code)))
}

/** No connection to spare, a lock or a statement that took too long, a transaction that was idle for too long. */
const serverIsBusy = ['53300', '55P03', cancelled, idleTransaction]

/** The database is there, and the wait for it took too long. */
export const isLongWait = (error: unknown): boolean =>
  serverIsBusy.includes(postgresCode(error) ?? '') || isWaitForConnection(error)

/** All connections of this process were taken for too long. */
export class NoConnectionFree extends Error {}

/** The server took too long to confirm a commit, as one does whose replicas are missing. */
export class UnconfirmedCommit extends Error {}

/** The second case in the words of the pool. */
export const isWaitForConnection = (error: unknown): boolean =>
  error instanceof NoConnectionFree ||
  (error instanceof Error && error.message === 'timeout exceeded when trying to connect')

/** A new connection was not ready in time: the server is away, or has too much to do. In the words of the pool. */
export const isSlowConnection = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Connection terminated due to connection timeout'

/** The server has closed the connection, whatever the reason. */
export const isClosed = (error: unknown): boolean => isConnectionLoss(error) || postgresCode(error) === idleTransaction

/** The code that the system or a driver gave an error, such as ENOENT; empty where there is none. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The message of an error, or of any other thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const sqliteUnique = 2067
const sqlitePrimaryKey = 1555
const postgresUnique = '23505'

/** True for a violation of a unique key. The transaction is lost. */
export function isUniqueViolation(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === sqliteUnique || code === sqlitePrimaryKey || postgresCode(error) === postgresUnique
}

const codesOfTheSystem = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']

/** True if a disk, ours or the database server's, is full or failing. */
export function isTroubleOfADisk(error: unknown): error is Error {
  return codesOfTheSystem.includes(codeOf(error)) || isDiskTrouble(error) || isServerTrouble(error)
}

/** A database error without the values of the statement, which may be secrets. */
interface DatabaseWords {
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly table?: string
  readonly constraint?: string
}

/** The PostgreSQL error, or the one among the causes. */
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
