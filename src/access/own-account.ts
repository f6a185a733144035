import { textKey } from '../fields/key.ts'
import { Refusal, type RefusalFault } from '../refusal.ts'
import {
  type Account,
  findAccount,
  findAccountByName,
  lockAccountToChange,
  updateAccount,
} from '../storage/access/account-rows.ts'
import type { Transaction } from '../storage/database.ts'
import { isUniqueViolation } from '../storage/sql/errors.ts'
import { endOtherAccess, nameIsTaken, viewOf } from './accounts.ts'
import { requireRight } from './caller.ts'
import type { IdentifiedCaller, Visitor } from './credentials.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { knownLanguage, knownTimezone } from './locales.ts'
import { checkLogin } from './login.ts'
import { canonicalMail, canonicalName, nameKey } from './names.ts'
import { hashPassword, requirePasswordLength } from './passwords.ts'

/** A field left out keeps its value. */
export interface OwnAccountChange {
  readonly name?: string
  readonly mail?: string
  readonly language?: string
  readonly timezone?: string
  readonly password?: string
  /** The current password, required to change password or mail address. */
  readonly existingPassword?: string
}

interface AccountOwner extends Visitor {
  readonly caller: IdentifiedCaller
}

/**
 * Language and time zone need the right `enter`; the rest needs `own-account`. Unchanged values need no right. All
 * faults are reported at once, under the field names above; all changes are made or none.
 */
export async function changeOwnAccount(
  installation: Installation,
  oneself: AccountOwner,
  given: OwnAccountChange,
): Promise<void> {
  const { caller } = oneself
  requireRight(caller, 'enter')
  const account = await installation.database.read((snapshot) => findAccount(snapshot, caller.uid))
  if (!account) throw goneMeanwhile()
  const { existingPassword = '', ...sent } = given
  const wanted = differing(account, sound(installation, differing(account, sent)))
  const isSecured = wanted.mail !== undefined || wanted.password !== undefined
  if (wanted.name !== undefined || isSecured) requireRight(caller, 'own-account')
  if (isSecured) await requirePassword(installation, { oneself, account, password: existingPassword })
  if (Object.keys(wanted).length === 0) return
  const { password, ...plain } = wanted
  const passwordHash = password === undefined ? undefined : await hashPassword({ password })
  try {
    await installation.database.write((tx) => store(tx, account, { installation, caller, plain, passwordHash }))
  } catch (error) {
    if (isUniqueViolation(error)) throw nameIsTaken(wanted.name ?? account.name)
    throw error
  }
}

type OwnAccountFields = Omit<OwnAccountChange, 'existingPassword'>

/** The fields as stored, or one refusal with every fault. */
function sound({ farm }: Installation, given: OwnAccountFields): OwnAccountFields {
  const rules: { readonly [K in keyof OwnAccountFields]-?: (value: string) => string } = {
    name: canonicalName,
    mail: canonicalMail,
    language: (code) => knownLanguage(farm, code),
    timezone: knownTimezone,
    password: requirePasswordLength,
  }
  const faults: RefusalFault[] = []
  const kept: { -readonly [K in keyof OwnAccountFields]: string } = {}
  for (const [field, rule] of Object.entries(rules) as [keyof OwnAccountFields, (value: string) => string][]) {
    const value = given[field]
    if (value === undefined) continue
    try {
      kept[field] = rule(value)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push({ field, message: error.message })
    }
  }
  if (faults.length > 0) throw new Refusal('invalid-content', 'The account cannot be changed so.', { faults })
  return kept
}

/** Only the fields that change. */
function differing(account: Account, wanted: OwnAccountFields): OwnAccountFields {
  const { name, mail, language, timezone } = viewOf(account)
  const there: Readonly<Record<string, string>> = { name, mail, language, timezone }
  const isAnother = ([field, value]: [string, string | undefined]) => value !== undefined && there[field] !== value
  return Object.fromEntries(Object.entries(wanted).filter(isAnother))
}

interface Proof {
  readonly oneself: AccountOwner
  readonly account: Account
  readonly password: string
}

/** Counted like a login, so that passwords cannot be guessed here. */
async function requirePassword(installation: Installation, { oneself, account, password }: Proof): Promise<void> {
  const { address, loginFailed } = oneself
  const shown = await checkLogin(installation, { name: account.name, password, address, loginFailed })
  if (shown?.uid === account.uid && shown.password_hash === account.password_hash) return
  const message = 'The present password is missing or another one.'
  throw new Refusal('invalid-content', message, { faults: [{ field: 'existingPassword', message }] })
}

interface OwnAccountWrite {
  readonly installation: Installation
  readonly caller: IdentifiedCaller
  readonly plain: Omit<OwnAccountFields, 'password'>
  readonly passwordHash: string | undefined
}

async function store(
  tx: Transaction,
  before: Account,
  { installation, caller, plain, passwordHash }: OwnAccountWrite,
): Promise<void> {
  const { uid } = before
  const account = await lockAccountToChange(tx, uid)
  if (!account || account.blocked || account.password_hash !== before.password_hash) throw goneMeanwhile()
  if (plain.name !== undefined) await requireUnused(tx, uid, plain.name)
  const concerned = { at: installation.clock(), uid }
  if (Object.keys(plain).length > 0) {
    const keys = {
      ...(plain.name === undefined ? {} : { name_key: nameKey(plain.name) }),
      ...(plain.mail === undefined ? {} : { mail_key: textKey(plain.mail) }),
    }
    await updateAccount(tx, uid, { ...plain, ...keys })
    await note(tx, 'account-changed', concerned)
  }
  if (passwordHash === undefined) return
  await updateAccount(tx, uid, { password_hash: passwordHash })
  await endOtherAccess(tx, uid, caller.bond)
  await note(tx, 'password-changed', concerned)
}

async function requireUnused(tx: Transaction, uid: number, name: string): Promise<void> {
  const holder = await findAccountByName(tx, nameKey(name))
  if (holder && holder.uid !== uid) throw nameIsTaken(name)
}

const goneMeanwhile = (): Refusal =>
  new Refusal('unauthenticated', 'This account was changed, blocked or removed at this moment: log in again.')
