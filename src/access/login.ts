import { Refusal } from '../refusal.ts'
import { type Account, findAccountByMail, findAccountByName } from '../storage/access/account-rows.ts'
import type { Database } from '../storage/database.ts'
import { networkOf } from './addresses.ts'
import type { Visitor } from './credentials.ts'
import type { Installation } from './installation.ts'
import { forgetFailures, rememberFailure, secondsToWait } from './login-limit.ts'
import { loginNameLength, nameKey } from './names.ts'
import { isPassword, passwordBytes } from './passwords.ts'
import { noteRefusedLogin } from './refused-logins.ts'

export interface LoginAttempt extends Visitor {
  /** A user name or, where it is nobody's name, the mail address of exactly one account. */
  readonly name: string
  readonly password: string
  /** The client that the password was shown to, where it was one. */
  readonly client?: string
}

const mostInLine = 64

/**
 * The account, or null where name and password do not belong together: the login form, the token endpoint and Basic all
 * ask here, so that they share one limit. Throws a Refusal once there were too many failures.
 */
export async function checkLogin(installation: Installation, attempt: LoginAttempt): Promise<Account | null> {
  const account = isConceivable(attempt) ? await attemptInLine(installation, attempt) : null
  if (account === null) attempt.loginFailed('failed')
  return account
}

const isConceivable = ({ name, password }: LoginAttempt): boolean =>
  name.length <= loginNameLength && Buffer.byteLength(password) <= passwordBytes.most

async function attemptFrom(
  installation: Installation,
  attempt: LoginAttempt,
  network: string,
): Promise<Account | null> {
  const { name, password, address, client } = attempt
  const account = await installation.database.read(async (snapshot) => {
    const named = await findAccountByName(snapshot, nameKey(name))
    return named ?? (name.includes('@') ? findAccountByMail(snapshot, nameKey(name)) : undefined)
  })
  const attempted = { nameKey: account?.name_key ?? nameKey(name), network }
  // The name that was typed is left out: who is in a hurry types a password there.
  const concerned = { uid: account?.uid, client, address }
  const retryAfterSeconds = await secondsToWait(installation, attempted)
  if (retryAfterSeconds > 0) {
    attempt.loginFailed('refused')
    await noteRefusedLogin(installation, network, concerned)
    const words = `Too many failed logins from here. Try again in ${retryAfterSeconds} seconds.`
    throw new Refusal('too-many-requests', words, { retryAfterSeconds })
  }
  const right = await isPassword(password, account?.password_hash ?? null)
  if (!right || !account || account.blocked) {
    await rememberFailure(installation, attempted, concerned)
    return null
  }
  await forgetFailures(installation, attempted)
  return account
}

const lines = new WeakMap<Database, Map<string, Promise<unknown>[]>>()

/** One attempt after another per network: a burst of guesses cannot all be judged before the first failure is counted. */
async function attemptInLine(installation: Installation, attempt: LoginAttempt): Promise<Account | null> {
  const network = networkOf(attempt.address)
  const networks = lines.get(installation.database) ?? new Map<string, Promise<unknown>[]>()
  lines.set(installation.database, networks)
  const line = networks.get(network) ?? []
  networks.set(network, line)
  if (line.length >= mostInLine) {
    attempt.loginFailed('refused')
    throw new Refusal('too-many-requests', 'Too many logins from here at once. Try again.', { retryAfterSeconds: 1 })
  }
  const mine = Promise.allSettled(line.slice(-1)).then(() => attemptFrom(installation, attempt, network))
  line.push(mine)
  try {
    return await mine
  } finally {
    line.splice(line.indexOf(mine), 1)
    if (line.length === 0) networks.delete(network)
  }
}
