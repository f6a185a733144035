import type { Account, Farm } from '../data/farm.ts'

const mostFailures = 5

/** Who may log in: right name and password, not blocked, and not too many wrong tries before. */
export class Passwords {
  readonly #farm: Farm
  readonly #failures = new Map<string, number>()

  constructor(farm: Farm) {
    this.#farm = farm
  }

  /** The form takes the user's name only, and counts wrong tries. */
  byForm(name: string, password: string): Account | 'wrong' | 'too many' {
    if ((this.#failures.get(name) ?? 0) >= mostFailures) return 'too many'
    const account = this.#fitting(password, (one) => one.name === name)
    if (account === undefined) this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1)
    return account ?? 'wrong'
  }

  /** The token endpoint takes name or mail, and counts nothing. */
  byGrant(nameOrMail: string, password: string): Account | undefined {
    return this.#fitting(password, ({ name, mail }) => name === nameOrMail || mail === nameOrMail)
  }

  #fitting(password: string, isMeant: (account: Account) => boolean): Account | undefined {
    return this.#farm.accounts.find(
      (account) => account.id !== 0 && isMeant(account) && !account.isBlocked && account.password === password,
    )
  }
}
