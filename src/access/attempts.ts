import { Refusal } from '../refusal.ts'
import type { Database } from '../storage/database.ts'
import { networkOf } from './addresses.ts'
import type { Visitor } from './credentials.ts'
import type { Concerned } from './events.ts'
import type { Installation } from './installation.ts'
import { type Attempted, rememberWrongKey, secondsToWait, secondsToWaitWithKeys } from './login-limit.ts'
import { noteRefusedLogin } from './throttled-events.ts'

const mostInLine = 64

const lines = new WeakMap<Database, Map<string, Promise<unknown>[]>>()

/** Logins and keys of links are counted apart: guessed keys keep nobody from logging in. */
const networkIn = {
  logins: networkOf,
  keys: (address: string) => `keys from ${networkOf(address)}`,
} as const

interface Line {
  readonly visitor: Visitor
  readonly of: keyof typeof networkIn
}

/** One attempt after another per network: a burst of guesses cannot all be judged before the first failure is counted. */
export async function attemptInLine<T>(
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

interface Tried {
  readonly attempted: Attempted
  readonly visitor: Visitor
  readonly concerned: Omit<Concerned, 'at'>
}

/** Nobody may try, once there were too many failures. */
export async function refuseTooManyFailures(
  installation: Installation,
  { attempted, visitor, concerned }: Tried,
): Promise<void> {
  const retryAfterSeconds = await secondsToWait(installation, attempted)
  if (retryAfterSeconds === 0) return
  visitor.loginFailed('refused')
  await noteRefusedLogin(installation, attempted.network, concerned)
  const words = `Too many failed logins from here. Try again in ${retryAfterSeconds} seconds.`
  throw new Refusal('too-many-requests', words, { retryAfterSeconds })
}

/**
 * Counts a key of a link that opens nothing, and refuses it once there were too many from its network. Only wrong keys come here: a right
 * one works whatever was guessed before.
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
