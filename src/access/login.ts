import { type Account, findAccountByMail, findAccountByName } from '../storage/access/account-rows.ts'
import { attemptInLine, refuseTooManyFailures } from './attempts.ts'
import type { Visitor } from './credentials.ts'
import type { Installation } from './installation.ts'
import { forgetFailures, rememberFailure } from './login-limit.ts'
import { loginNameLength, nameKey } from './names.ts'
import { isPassword, passwordBytes } from './passwords.ts'

export interface LoginAttempt extends Visitor {
  /** A user name or, where it is nobody's name, the mail address of exactly one account. */
  readonly name: string
  readonly password: string
  /** The client that the password was shown to, where it was one. */
  readonly client?: string
}

/**
 * The account, or null where name and password do not belong together: the login form, the token endpoint and Basic all
 * ask here, so that they share one limit. Throws a Refusal once there were too many failures.
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
  // The name that was typed is left out: who is in a hurry types a password there.
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
