import { randomBytes } from 'node:crypto'

interface TokenHolder {
  readonly user: number
  readonly scope: string
  readonly client: string
}

interface Access extends TokenHolder {
  readonly ends: number
}

export interface Lifetimes {
  /** Seconds. */
  readonly access: number
  readonly refresh: number
}

interface Pair {
  readonly access_token: string
  readonly expires_in: number
  readonly token_type: 'Bearer'
  readonly scope: string
  readonly refresh_token: string
}

const token = (): string => randomBytes(20).toString('hex')

/** Access tokens live until they end, also after a refresh; a refresh token is used once. */
export class Tokens {
  readonly #access = new Map<string, Access>()
  readonly #refresh = new Map<string, Access>()
  readonly #now: () => number
  readonly #lifetimes: Lifetimes

  constructor(now: () => number, lifetimes: Lifetimes) {
    this.#now = now
    this.#lifetimes = lifetimes
  }

  issue(holder: TokenHolder): Pair {
    const [access, refresh] = [token(), token()]
    this.#access.set(access, { ...holder, ends: this.#now() + this.#lifetimes.access })
    this.#refresh.set(refresh, { ...holder, ends: this.#now() + this.#lifetimes.refresh })
    return {
      access_token: access,
      expires_in: this.#lifetimes.access,
      token_type: 'Bearer',
      scope: holder.scope,
      refresh_token: refresh,
    }
  }

  holderOf(access: string): Access | undefined {
    const holder = this.#access.get(access)
    return holder !== undefined && holder.ends > this.#now() ? holder : undefined
  }

  refreshing(refresh: string): TokenHolder | 'unknown' | 'ended' {
    const holder = this.#refresh.get(refresh)
    if (holder === undefined) return 'unknown'
    return holder.ends > this.#now() ? holder : 'ended'
  }

  spend(refresh: string): void {
    this.#refresh.delete(refresh)
  }

  revoke(one: string): void {
    this.#access.delete(one)
    this.#refresh.delete(one)
  }

  /** As after an hour, for all that are out. */
  endAccess(): void {
    this.#access.clear()
  }

  endAll(): void {
    this.#access.clear()
    this.#refresh.clear()
  }
}
