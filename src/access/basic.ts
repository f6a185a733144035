import { createHmac, randomBytes } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { Account } from '../storage/access/account-rows.ts'
import type { Database } from '../storage/database.ts'
import { callerWith } from './caller.ts'
import type { Credentials, IdentifiedCaller } from './credentials.ts'
import type { Installation } from './installation.ts'
import { checkLogin } from './login.ts'
import { accountOfSession, openSession } from './sessions.ts'
import { noteBasicLogin } from './throttled-events.ts'

/** HTTP Basic (spec 5.1): if it is enabled, for account names that match the pattern. */
export async function identifyBasic(
  installation: Installation,
  encoded: string,
  credentials: Credentials,
): Promise<IdentifiedCaller> {
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
  // The user may have sent a mail address, but the pattern applies to the account name.
  if (!account || !pattern.test(account.name)) throw refused('Name and password do not belong together.')
  const bond =
    (await ownSession(installation, account, [credentials.cookie, memory.lastBond(encoded)])) ??
    (await openSession(installation, account, { ...credentials, carrier: 'basic' }))
  if (bond === null) throw refused('Name and password do not belong together.')
  await noteBasicLogin(installation, { uid: account.uid, address })
  memory.keep(encoded, { account, bond }, installation.clock())
  return identified({ account, bond })
}

/** Control characters, forbidden in names and passwords (RFC 7617, section 2). */
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

function identified({ account, bond }: BasicLogin): IdentifiedCaller {
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

/** A successful Basic login, and its session. */
interface BasicLogin {
  readonly account: Account
  readonly bond: string
}

interface Entry {
  readonly bond: string
  readonly passwordHash: string | null
  readonly until: number
}

const seconds = 60
const most = 1000
const memories = new WeakMap<Database, Memory>()

/** Checking a password takes 13 ms. This cache makes a client that sends it with every request wait once a minute. */
function memoryOf(database: Database): Memory {
  const memory = memories.get(database) ?? new Memory()
  memories.set(database, memory)
  return memory
}

class Memory {
  readonly #key = randomBytes(32)
  readonly #entries = new Map<string, Entry>()

  /** Valid only while the session lives and the password is unchanged, also by another node. */
  async recall(installation: Installation, encoded: string): Promise<BasicLogin | null> {
    const entry = this.#entries.get(this.#nameOf(encoded))
    if (!entry || entry.until <= installation.clock()) return null
    const account = await accountOfSession(installation, entry.bond)
    return account?.password_hash === entry.passwordHash ? { account, bond: entry.bond } : null
  }

  /** The last session, reused once the password has been checked again. */
  lastBond(encoded: string): string | undefined {
    return this.#entries.get(this.#nameOf(encoded))?.bond
  }

  keep(encoded: string, { account, bond }: BasicLogin, now: number): void {
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= most && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(this.#nameOf(encoded), { bond, passwordHash: account.password_hash, until: now + seconds })
  }

  #nameOf(encoded: string): string {
    return createHmac('sha256', this.#key).update(encoded).digest('base64')
  }
}
