import { isIPv6 } from 'node:net'
import { Refusal } from '../refusal.ts'
import { type Account, findAccountByMail, findAccountByName } from '../storage/access/account-rows.ts'
import {
  addFailure,
  countFailure,
  findStreak,
  forgetOldFailures,
  forgetStreak,
  latestFailures,
} from '../storage/access/login-rows.ts'
import type { Database, Snapshot, Transaction } from '../storage/database.ts'
import type { Visitor } from './credentials.ts'
import { type EventDetails, note } from './events.ts'
import type { Installation } from './installation.ts'
import { loginNameLength, nameKey } from './names.ts'
import { isPassword, passwordBytes } from './passwords.ts'
import { noteRefusedLogin } from './throttled-events.ts'

interface LoginAttempt extends Visitor {
  /** A user name or, if no account has that name, the mail address of exactly one account. */
  readonly name: string
  readonly password: string
  /** The client that received the password, if any. */
  readonly client?: string
}

/**
 * The account, or null if name and password do not match. The login form, the token endpoint and Basic share this
 * function and its limit. Throws a Refusal after too many failures.
 */
export async function checkLogin(installation: Installation, attempt: LoginAttempt): Promise<Account | null> {
  const account = isConceivable(attempt)
    ? await attemptInLine(installation, { visitor: attempt, of: 'logins' }, (network) =>
        attemptFrom(installation, attempt, network),
      )
    : null
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
  // The typed name is not recorded: users in a hurry type their password there.
  const concerned = { uid: account?.uid, client, address }
  await refuseTooManyFailures(installation, { attempted, visitor: attempt, concerned })
  const right = await isPassword(password, account?.password_hash ?? null)
  if (!right || !account || account.blocked) {
    await rememberFailure(installation, attempted, concerned)
    return null
  }
  await forgetFailures(installation, attempted)
  return account
}

const mostInLine = 64

const lines = new WeakMap<Database, Map<string, Promise<unknown>[]>>()

/** Logins and link keys are counted separately: guessed keys do not block logins. */
const networkIn = {
  logins: networkOf,
  keys: (address: string) => `keys from ${networkOf(address)}`,
} as const

interface Line {
  readonly visitor: Visitor
  readonly of: keyof typeof networkIn
}

/** Serialises attempts per network: a burst of guesses cannot all be judged before the first failure is counted. */
async function attemptInLine<T>(
  { database }: Installation,
  { visitor, of }: Line,
  attempt: (network: string) => Promise<T>,
): Promise<T> {
  const network = networkIn[of](visitor.address)
  const networks = lines.get(database) ?? new Map<string, Promise<unknown>[]>()
  lines.set(database, networks)
  const line = networks.get(network) ?? []
  networks.set(network, line)
  if (line.length >= mostInLine) {
    visitor.loginFailed('refused')
    throw new Refusal('too-many-requests', `Too many ${of} from here at once. Try again.`, { retryAfterSeconds: 1 })
  }
  const mine = Promise.allSettled(line.slice(-1)).then(() => attempt(network))
  line.push(mine)
  try {
    return await mine
  } finally {
    line.splice(line.indexOf(mine), 1)
    if (line.length === 0) networks.delete(network)
  }
}

interface FailedAttempt {
  readonly attempted: AttemptKey
  readonly visitor: Visitor
  readonly concerned: Omit<EventDetails, 'at'>
}

async function refuseTooManyFailures(
  installation: Installation,
  { attempted, visitor, concerned }: FailedAttempt,
): Promise<void> {
  const retryAfterSeconds = await secondsToWait(installation, attempted)
  if (retryAfterSeconds === 0) return
  visitor.loginFailed('refused')
  await noteRefusedLogin(installation, attempted.network, concerned)
  const words = `Too many failed logins from here. Try again in ${retryAfterSeconds} seconds.`
  throw new Refusal('too-many-requests', words, { retryAfterSeconds })
}

/**
 * Counts a wrong link key, and refuses it after too many from its network. A valid key never comes here and always
 * works.
 */
export async function countWrongKey(installation: Installation, visitor: Visitor): Promise<void> {
  await attemptInLine(installation, { visitor, of: 'keys' }, async (network) => {
    const { address } = visitor
    const retryAfterSeconds = await secondsToWaitWithKeys(installation, network)
    if (retryAfterSeconds === 0) {
      visitor.loginFailed('failed')
      return rememberWrongKey(installation, network, { address })
    }
    visitor.loginFailed('refused')
    await noteRefusedLogin(installation, network, { address })
    const words = `This link does not work, and too many others from here did not. Try again in ${retryAfterSeconds} seconds.`
    throw new Refusal('too-many-requests', words, { retryAfterSeconds })
  })
}

/** One IPv6 host usually controls its whole /64, so a /64 counts as one network. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  return `${groupsOf(address.replace(/%.*$/, '')).slice(0, 4).join(':')}::/64`
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, '').toLowerCase(),
  )
}

/** Attempts are counted per account name and network. */
interface AttemptKey {
  readonly nameKey: string
  readonly network: string
}

const failuresInARow = 10
const failuresInAnHour = 100
const hour = 3600
const firstWait = 60
const longestWait = 900
const streakIsRemembered = 86_400

/** Seconds until the next attempt is allowed; 0 if now. */
async function secondsToWait({ database, clock }: Installation, { nameKey, network }: AttemptKey): Promise<number> {
  const now = clock()
  const [streak, waitOfNetwork] = await database.read(async (snapshot) => [
    await findStreak(snapshot, nameKey, network),
    await hourlyWait(snapshot, network, now),
  ])
  if (streak && streak.failures >= failuresInARow) {
    const wait = Math.min(longestWait, firstWait * 2 ** (streak.failures - failuresInARow))
    if (streak.last + wait > now) return streak.last + wait - now
  }
  return waitOfNetwork
}

/** The same for link keys, which have no name: only the hourly limit counts. */
const secondsToWaitWithKeys = ({ database, clock }: Installation, network: string): Promise<number> =>
  database.read((snapshot) => hourlyWait(snapshot, network, clock()))

async function hourlyWait(snapshot: Snapshot, network: string, now: number): Promise<number> {
  const failures = await latestFailures(snapshot, { address: network, since: now - hour, most: failuresInAnHour })
  const oldest = failures[failuresInAnHour - 1]
  return oldest === undefined ? 0 : Math.max(0, oldest + hour - now)
}

/** Deletes failures older than every limit. */
export const sweepFailures = (tx: Transaction, now: number): Promise<void> =>
  forgetOldFailures(tx, now - hour, now - streakIsRemembered)

async function rememberFailure(
  { database, clock }: Installation,
  { nameKey, network }: AttemptKey,
  concerned: Omit<EventDetails, 'at'>,
): Promise<void> {
  const now = clock()
  await database.write(async (tx) => {
    await sweepFailures(tx, now)
    await countFailure(tx, { name_key: nameKey, address: network, failures: 1, last: now })
    await note(tx, 'login-failed', { ...concerned, at: now })
  })
}

async function rememberWrongKey(
  { database, clock }: Installation,
  network: string,
  concerned: Omit<EventDetails, 'at'>,
): Promise<void> {
  const now = clock()
  await database.write(async (tx) => {
    await sweepFailures(tx, now)
    await addFailure(tx, network, now)
    await note(tx, 'link-failed', { ...concerned, at: now })
  })
}

async function forgetFailures({ database }: Installation, { nameKey, network }: AttemptKey): Promise<void> {
  const streak = await database.read((snapshot) => findStreak(snapshot, nameKey, network))
  if (streak) await database.write((tx) => forgetStreak(tx, nameKey, network))
}
