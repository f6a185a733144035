import { randomBytes } from 'node:crypto'

const cookieName = `SESS${'0123456789abcdef'.repeat(2)}`

interface Session {
  readonly user: number
  readonly csrf: string
}

/** What a browser has after the login form: a cookie, and a token that it asks for. */
export class Sessions {
  readonly #sessions = new Map<string, Session>()

  begin(user: number): string {
    const secret = randomBytes(32).toString('base64url')
    this.#sessions.set(secret, { user, csrf: randomBytes(32).toString('base64url') })
    return `${cookieName}=${secret}; expires=Thu, 10-Dec-2026 00:00:00 GMT; Max-Age=2000000; path=/; HttpOnly`
  }

  of(cookies: string | undefined): Session | undefined {
    const [, secret = ''] = new RegExp(`${cookieName}=([^;]*)`).exec(cookies ?? '') ?? []
    return this.#sessions.get(secret)
  }

  end(cookies: string | undefined): string {
    const [, secret = ''] = new RegExp(`${cookieName}=([^;]*)`).exec(cookies ?? '') ?? []
    this.#sessions.delete(secret)
    return `${cookieName}=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/; HttpOnly`
  }

  endAll(): void {
    this.#sessions.clear()
  }

  /** A cookie that nobody has logged in with, as every answer to a token brings one along. */
  stray(): string {
    return `${cookieName}=${randomBytes(32).toString('base64url')}; path=/; HttpOnly`
  }
}
