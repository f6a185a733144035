import { Refusal } from '../../src/refusal.ts'
import { type HttpClient, responseText, resumeAdvice } from './http-client.ts'

/** The account that reads the source, and its credentials. */
export interface SourceLogin {
  /** For requests of records. */
  bearer(): Promise<string>
  /** For private files: a session, or a new one if it was refused; null without one. */
  cookie(refused?: string): Promise<string | null>
  /** Sets the account name: a session cannot be opened by mail address. */
  knownAs(name: string): void
  /** After a token was refused: true if there is a new one. */
  renew(refused: string): Promise<boolean>
  readonly kind: 'password' | 'token'
}

export const tokenLogin = (token: string): SourceLogin => ({
  kind: 'token',
  bearer: async () => token,
  cookie: async () => null,
  knownAs: () => {},
  renew: async () => false,
})

interface Password {
  readonly user: string
  readonly password: string
}

export type SourceCredentials = Password | { readonly token: string }

interface Tokens {
  readonly access: string
  readonly refresh: string | undefined
}

/** Logs in as other clients do, and again when the token expires. */
export class PasswordLogin implements SourceLogin {
  readonly kind = 'password'
  readonly #wire: HttpClient
  readonly #who: Password
  #tokens: Promise<Tokens> | undefined
  #session: Promise<string | null> | undefined
  #name: string

  constructor(wire: HttpClient, who: Password) {
    this.#wire = wire
    this.#who = who
    this.#name = who.user
  }

  knownAs(name: string): void {
    this.#name = name
  }

  async bearer(): Promise<string> {
    this.#tokens ??= this.#logIn()
    return (await this.#tokens).access
  }

  /** If many requests are refused at once, the first logs in again for all. */
  async renew(refused: string): Promise<boolean> {
    const before = this.#tokens
    const tokens = await before
    if (tokens?.access === refused && this.#tokens === before) this.#tokens = this.#refreshed(tokens)
    return (await this.bearer()) !== refused
  }

  async #refreshed({ refresh }: Tokens): Promise<Tokens> {
    if (refresh === undefined) return this.#logIn()
    const tokens = await this.#grant({ grant_type: 'refresh_token', client_id: 'farm', refresh_token: refresh })
    return tokens ?? this.#logIn()
  }

  async #logIn(): Promise<Tokens> {
    const { user: username, password } = this.#who
    const tokens = await this.#grant({ grant_type: 'password', client_id: 'farm', username, password })
    if (tokens !== null) return tokens
    throw new Refusal('wrong-password', `${this.#wire.base.host} does not take this user name and password.`)
  }

  #grant(parameters: Readonly<Record<string, string>>): Promise<Tokens | null> {
    const body = new URLSearchParams({ ...parameters, scope: 'user_access' })
    return this.#wire.send('/oauth2/token', { method: 'POST', body }, async (answer) => {
      const text = await responseText(answer)
      if (answer.status === 400 || answer.status === 401) return null
      const { access_token: access, refresh_token: refresh } = answer.status === 200 ? objectIn(text) : {}
      if (typeof access !== 'string') throw this.#noTokens(answer)
      return { access, refresh: typeof refresh === 'string' ? refresh : undefined }
    })
  }

  #noTokens({ status, headers }: Response): Refusal {
    const location = headers.get('location')
    const advice = location === null ? '' : ` It sends to ${location}: give that address.`
    return new Refusal(
      'conflict',
      `${this.#wire.base.host} answers ${status} to /oauth2/token: is it a farmOS 1.x?${advice}`,
    )
  }

  async cookie(refused?: string): Promise<string | null> {
    this.#session ??= this.#openSession()
    const before = this.#session
    if (refused !== undefined && (await before) === refused && this.#session === before)
      this.#session = this.#openSession()
    return this.#session
  }

  #openSession(): Promise<string | null> {
    const body = new URLSearchParams({ name: this.#name, pass: this.#who.password, form_id: 'user_login' })
    return this.#wire.send('/user/login', { method: 'POST', body }, async (answer) => {
      await answer.body?.cancel()
      const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
      return answer.status >= 300 && answer.status < 400 && cookies.length > 0 ? cookies.join('; ') : null
    })
  }
}

export const mayNotRead = (address: string): Refusal =>
  new Refusal(
    'forbidden',
    `${address} takes this login, but its account may not read the farm: it needs the role of a manager, worker or viewer there.`,
  )

export const tokenEnded = (host: string): Refusal =>
  new Refusal('unauthenticated', `${host} does not take the token, or not any more. Get another one. ${resumeAdvice}`)

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
