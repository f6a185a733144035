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

const conflicts = ['40001', '40P01']

/** Serialization failure or deadlock: the same work may well succeed the next time. */
export function isConflict(error: unknown): boolean {
  return conflicts.includes(postgresCode(error) ?? '')
}

/** Another node migrated the tables: statements prepared before that are refused until the connection is renewed. */
export function isStalePlan(error: unknown): boolean {
  return postgresCode(error) === '0A000' && String(error).includes('cached plan')
}

/** No room on the disk, no memory, a disk that fails, a standby that only reads. */
const serverTakesNoMore = ['53100', '53200', '58030', '25006']

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

/** The database cannot be reached, or has ended the connection. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = postgresCode(error)
  if (state !== null) return state.startsWith('08') || serverIsGone.includes(state)
  return clientIsGone.test(error.message) || ('code' in error && networkIsGone.includes(String(error.code)))
}

/** No connection to spare, a lock or a statement that took too long, a transaction that was idle for too long. */
const serverIsBusy = ['53300', '55P03', cancelled, idleTransaction]

/** The database is there, and the wait for it took too long. */
export const isLongWait = (error: unknown): boolean =>
  serverIsBusy.includes(postgresCode(error) ?? '') || isWaitForConnection(error)

/** The pool's own words for: all connections of this process are taken. */
export const isWaitForConnection = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** The server has closed the connection, whatever the reason. */
export const isClosed = (error: unknown): boolean => isConnectionLoss(error) || postgresCode(error) === idleTransaction
