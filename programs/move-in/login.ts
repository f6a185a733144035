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
  /** Opens all sessions and keeps no password. */
  forgetPassword(): Promise<void>
  readonly kind: 'password' | 'token'
}

export const tokenLogin = (token: string): SourceLogin => ({
  kind: 'token',
  bearer: async () => token,
  cookie: async () => null,
  knownAs: () => {},
  renew: async () => false,
  forgetPassword: async () => {},
})

interface Password {
  readonly user: string
  readonly password: string
}

/** A client of the source that logs in as itself (client credentials). */
interface ClientSecret {
  readonly client: string
  readonly secret: string
}

export type SourceCredentials = Password | ClientSecret | { readonly token: string }

/** `1.x` begins at /farm.json, `api` is JSON:API under /api: farmOS 2.x, 3.x and 4.x. */
export type SourceInterface = '1.x' | 'api'

/** The token address of each generation, and the scopes to ask for in turn. */
const tokenEndpoints: Readonly<Record<SourceInterface, { readonly path: string; readonly scopes: readonly string[] }>> =
  {
    '1.x': { path: '/oauth2/token', scopes: ['user_access'] },
    api: { path: '/oauth/token', scopes: ['farm_manager', ''] },
  }

interface Tokens {
  readonly access: string
  readonly refresh: string | undefined
}

/** Logs in as other clients do, and again when the token expires. */
export class PasswordLogin implements SourceLogin {
  readonly kind = 'password'
  readonly #wire: HttpClient
  /** Null after it was forgotten. */
  #who: Password | ClientSecret | null
  readonly #interface: SourceInterface
  #tokens: Promise<Tokens> | undefined
  #session: Promise<string | null> | undefined
  #name: string
  readonly #client: Readonly<Record<string, string>>

  constructor(wire: HttpClient, who: Password | ClientSecret, spoken: SourceInterface) {
    this.#wire = wire
    this.#who = who
    this.#interface = spoken
    this.#name = 'user' in who ? who.user : ''
    this.#client = 'user' in who ? { client_id: 'farm' } : { client_id: who.client, client_secret: who.secret }
  }

  async forgetPassword(): Promise<void> {
    await this.bearer()
    await this.cookie()
    this.#who = null
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
    const tokens = await this.#grant({ grant_type: 'refresh_token', ...this.#client, refresh_token: refresh })
    return tokens ?? this.#logIn()
  }

  async #logIn(): Promise<Tokens> {
    const who = this.#who
    if (who === null) throw tokenEnded(this.#wire.base.host)
    const grant =
      'user' in who
        ? { grant_type: 'password', username: who.user, password: who.password }
        : { grant_type: 'client_credentials' }
    const tokens = await this.#grant({ ...grant, ...this.#client })
    if (tokens !== null) return tokens
    const what = 'user' in who ? 'user name and password' : 'client and secret'
    throw new Refusal('wrong-password', `${this.#wire.base.host} does not take this ${what}.`)
  }

  /** A server without the first scope gets the next: an empty one asks for the default scopes. */
  async #grant(parameters: Readonly<Record<string, string>>): Promise<Tokens | null> {
    const { path, scopes } = tokenEndpoints[this.#interface]
    for (const scope of scopes) {
      const tokens = await this.#granted(path, { ...parameters, ...(scope === '' ? {} : { scope }) })
      if (tokens !== null) return tokens
    }
    return null
  }

  #granted(path: string, parameters: Readonly<Record<string, string>>): Promise<Tokens | null> {
    const body = new URLSearchParams(parameters)
    return this.#wire.send(path, { method: 'POST', body }, async (answer) => {
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
      `${this.#wire.base.host} answers ${status} to ${tokenEndpoints[this.#interface].path}: is it a farmOS?${advice}`,
    )
  }

  /** Servers of the newer generation give private files to a token. */
  async cookie(refused?: string): Promise<string | null> {
    if (this.#interface === 'api') return null
    this.#session ??= this.#openSession()
    const before = this.#session
    if (refused !== undefined && (await before) === refused && this.#session === before)
      this.#session = this.#openSession()
    return this.#session
  }

  #openSession(): Promise<string | null> {
    if (this.#who === null || !('user' in this.#who)) return Promise.resolve(null)
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

export const noFarmOs = (address: string, path: string, how: string): Refusal =>
  new Refusal('conflict', `${address}${path} was answered ${how}: is it a farmOS?`)

export const tokenEnded = (host: string): Refusal =>
  new Refusal('unauthenticated', `${host} does not take the token, or not any more. Get another one. ${resumeAdvice}`)

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
