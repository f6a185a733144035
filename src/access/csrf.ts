import type { Database } from '../storage/database.ts'
import { isSame, sealOf } from './secrets.ts'

/** Bound to the session or bearer value and worked out again whenever it is needed, so that it need not be stored. */
export async function csrfTokenFor(database: Database, bond: string): Promise<string> {
  return sealOf(database, 'csrf', bond)
}

export async function isCsrfToken(database: Database, bond: string, given: string | undefined): Promise<boolean> {
  return given !== undefined && isSame(given, await csrfTokenFor(database, bond))
}
