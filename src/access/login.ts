import { Refusal } from '../refusal.ts'
import { type Account, findAccountByMail, findAccountByName } from '../storage/access/account-rows.ts'
import type { Database } from '../storage/database.ts'
import { networkOf } from './addresses.ts'
import type { Ground } from './ground.ts'
import { forgetFailures, refuseIfTooMany, rememberFailure } from './login-limit.ts'
import { loginNameLength, nameKey } from './names.ts'
import { isPassword, passwordBytes } from './passwords.ts'

export interface LoginAttempt {
  /** A user name or, where it is nobody's name, the mail address of exactly one account. */
  readonly name: string
  readonly password: string
  readonly address: string
}

const mostInLine = 64

/**
 * The account, or null where name and password do not belong together: the login form, the token endpoint and Basic all
 * ask here, so that they share one limit. Throws a Refusal once there were too many failures.
 */
export async function checkLogin(ground: Ground, attempt: LoginAttempt): Promise<Account | null> {
  if (attempt.name.length > loginNameLength || Buffer.byteLength(attempt.password) > passwordBytes.most) return null
  const network = networkOf(attempt.address)
  return inLine(ground.database, network, () => attemptFrom(ground, attempt, network))
}

async function attemptFrom(ground: Ground, { name, password }: LoginAttempt, network: string): Promise<Account | null> {
  const account = await ground.database.read(async (rows) => {
    const named = await findAccountByName(rows, nameKey(name))
    return named ?? (name.includes('@') ? findAccountByMail(rows, nameKey(name)) : undefined)
  })
  const attempted = { nameKey: account?.name_key ?? nameKey(name), network }
  await refuseIfTooMany(ground, attempted)
  const right = await isPassword(password, account?.password_hash ?? null)
  if (!right || !account || account.blocked) {
    await rememberFailure(ground, attempted)
    return null
  }
  await forgetFailures(ground, attempted)
  return account
}

const lines = new WeakMap<Database, Map<string, Promise<unknown>[]>>()

/** One attempt after another per network: a burst of guesses cannot all be judged before the first failure is counted. */
async function inLine<T>(database: Database, network: string, work: () => Promise<T>): Promise<T> {
  const networks = lines.get(database) ?? new Map<string, Promise<unknown>[]>()
  lines.set(database, networks)
  const line = networks.get(network) ?? []
  networks.set(network, line)
  if (line.length >= mostInLine) {
    throw new Refusal('too-many-requests', 'Too many logins from here at once. Try again.', { retryAfterSeconds: 1 })
  }
  const mine = Promise.allSettled(line.slice(-1)).then(work)
  line.push(mine)
  try {
    return await mine
  } finally {
    line.splice(line.indexOf(mine), 1)
    if (line.length === 0) networks.delete(network)
  }
}
