import { createHmac, randomBytes } from 'node:crypto'
import type { Account } from '../storage/access/account-rows.ts'
import type { Database } from '../storage/database.ts'
import type { Installation } from './installation.ts'
import { accountOfSession } from './sessions.ts'

/** A login by HTTP Basic that was found right, and the session that it opened. */
export interface BasicLogin {
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

/** A password takes 13 ms to check; a client that sends it with every request waits once a minute. */
export function memoryOf(database: Database): Memory {
  const memory = memories.get(database) ?? new Memory()
  memories.set(database, memory)
  return memory
}

class Memory {
  readonly #key = randomBytes(32)
  readonly #entries = new Map<string, Entry>()

  /** Only while the session lives and the password is the one that was checked, whichever node changed it. */
  async recall(installation: Installation, encoded: string): Promise<BasicLogin | null> {
    const entry = this.#entries.get(this.#nameOf(encoded))
    if (!entry || entry.until <= installation.clock()) return null
    const account = await accountOfSession(installation, entry.bond)
    return account?.password_hash === entry.passwordHash ? { account, bond: entry.bond } : null
  }

  /** The session of the last time, to be gone on with once the password has been checked again. */
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
