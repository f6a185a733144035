import { Refusal } from '../refusal.ts'
import type { Account } from '../storage/access/account-rows.ts'
import { type BasicLogin, memoryOf } from './basic-memory.ts'
import { callerWith } from './caller.ts'
import type { Credentials, Identified } from './credentials.ts'
import type { Installation } from './installation.ts'
import { checkLogin } from './login.ts'
import { accountOfSession, openSession } from './sessions.ts'
import { noteBasicLogin } from './throttled-events.ts'

/** HTTP Basic (spec 5.1): where it is switched on, and for the names that the pattern admits. */
export async function identifyBasic(
  installation: Installation,
  encoded: string,
  credentials: Credentials,
): Promise<Identified> {
  const pattern = installation.settings.basicAuth
  if (pattern === null) throw refused('HTTP Basic is switched off on this farm: log in with OAuth 2.0 or a session.')
  const decoded = decodeBasic(encoded)
  if (!decoded) throw refused('The Authorization header holds no name and password.')
  const name = decoded.name.normalize('NFC').trim()
  if (!pattern.test(name)) throw refused('This user name is not admitted by HTTP Basic.')
  const memory = memoryOf(installation.database)
  const { address, loginFailed } = credentials
  const recalled = await memory.recall(installation, encoded)
  if (recalled) {
    await noteBasicLogin(installation, { uid: recalled.account.uid, address })
    return identified(recalled)
  }
  const account = await checkLogin(installation, { name, password: decoded.password, address, loginFailed })
  // The name may have been a mail address: what the pattern admits is the account's own name.
  if (!account || !pattern.test(account.name)) throw refused('Name and password do not belong together.')
  const bond =
    (await ownSession(installation, account, [credentials.cookie, memory.lastBond(encoded)])) ??
    (await openSession(installation, account, { ...credentials, carrier: 'basic' }))
  if (bond === null) throw refused('Name and password do not belong together.')
  await noteBasicLogin(installation, { uid: account.uid, address })
  memory.keep(encoded, { account, bond }, installation.clock())
  return identified({ account, bond })
}

/** What neither names nor passwords may hold (RFC 7617, section 2). */
export const control = /\p{Cc}/u

export function decodeBasic(encoded: string): { name: string; password: string } | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const bytes = Buffer.from(encoded, 'base64')
  const text = bytes.toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0 || control.test(text) || !Buffer.from(text, 'utf8').equals(bytes)) return null
  return { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

function refused(detail: string): Refusal {
  return new Refusal('unauthenticated', detail)
}

function identified({ account, bond }: BasicLogin): Identified {
  return { ...callerWith(account, 'basic'), bond }
}

/** The first of these values that is a session of this user. */
async function ownSession(
  installation: Installation,
  { uid }: Account,
  values: readonly (string | undefined)[],
): Promise<string | null> {
  for (const value of values) {
    if (value !== undefined && (await accountOfSession(installation, value))?.uid === uid) return value
  }
  return null
}
