import type { Credential, RequestHeaders } from './requests.ts'

/**
 * How to be let in: a token of one's own (`/account`), name and password, refreshed as long as it can be, or a
 * credential such as the session of a page of the farm (`sessionCredential`).
 */
export type FurrowLogin = TokenLogin | PasswordLogin | { readonly credential: Credential }

interface TokenLogin {
  readonly token: string
}

interface PasswordLogin {
  readonly username: string
  readonly password: string
  readonly scope?: string
  readonly clientId?: string
}

export interface GivenTokens {
  readonly access: string
  readonly refresh?: string
}

type Grant = (parameters: RequestHeaders) => Promise<GivenTokens>

/** The credentials of each request; `grant` asks the farm for tokens. */
export function credentialOf(login: FurrowLogin, grant: Grant): Credential {
  if ('credential' in login) return login.credential
  if ('token' in login) return { headers: async () => bearer(login.token), renew: async () => false }
  return refreshedCredential(login, grant)
}

/** One login for all requests at once. A login or refresh that failed is tried anew by the next request. */
function refreshedCredential(login: PasswordLogin, grant: Grant): Credential {
  const { username, password, scope = 'user_access', clientId = 'farm' } = login
  const logIn = () => grant({ client_id: clientId, grant_type: 'password', username, password, scope })
  let tokens: Promise<GivenTokens> | null = null
  const keep = (asked: Promise<GivenTokens>): Promise<GivenTokens> => {
    tokens = asked
    asked.catch(() => {
      if (tokens === asked) tokens = null
    })
    return asked
  }
  return {
    headers: async () => bearer((await (tokens ?? keep(logIn()))).access),
    renew: async (answer, sent) => {
      if (!saysTokenEnded(answer)) return false
      const held = tokens
      const known = await held?.catch(() => null)
      // Another request that was sent with the same token has renewed it: a second refresh would end that one too.
      if (tokens !== held || known?.access !== tokenIn(sent)) return true
      const refresh = known?.refresh
      keep(
        refresh === undefined
          ? logIn()
          : grant({ client_id: clientId, grant_type: 'refresh_token', refresh_token: refresh }).catch(logIn),
      )
      return true
    },
  }
}

const bearer = (token: string): RequestHeaders => ({ authorization: `Bearer ${token}` })

const tokenIn = ({ authorization = '' }: RequestHeaders): string => authorization.slice('Bearer '.length)

/** The first generation says 403 where the newer one says 401. */
const saysTokenEnded = ({ status, headers }: Response): boolean =>
  [401, 403].includes(status) && /invalid_token/.test(headers.get('www-authenticate') ?? '')
