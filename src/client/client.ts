import { type ChangePage, changePages, changesPath, type FarmChange, newUuid, serverEvents } from './changes.ts'
import {
  batchBody,
  type ClientBatchOperation,
  type Credential,
  fileHeaders,
  type ListPage,
  lastPageOf,
  type ProblemDocument,
  problemIn,
  type RequestHeaders,
  secondsToWait,
  sendWith,
} from './requests.ts'

export { type ChangePage, type FarmChange, newUuid } from './changes.ts'
export { type ClientBatchOperation, type Credential, sessionCredential } from './requests.ts'

/** A refusal of the farm (RFC 9457, or an error of JSON:API), or an answer of somebody else. */
export class FurrowError extends Error {
  readonly status: number
  /** Such as `urn:furrow:refusal:conflict`. */
  readonly type: string
  /** Faults by field. */
  readonly errors: readonly unknown[]

  constructor(status: number, { type = '', title = '', detail = '', errors = [] }: ProblemDocument) {
    super(detail || title || `The server answered ${status}`)
    this.name = 'FurrowError'
    this.status = status
    this.type = type
    this.errors = errors
  }
}

/**
 * How to be let in: a token of one's own (`/account`), name and password, refreshed as long as it can be, or a
 * credential such as the session of a page of the farm (`sessionCredential`).
 */
export type FurrowLogin =
  | { readonly token: string }
  | { readonly credential: Credential }
  | { readonly username: string; readonly password: string; readonly scope?: string; readonly clientId?: string }

export interface FurrowOptions {
  /** Without a slash at the end. */
  readonly base: string
  readonly login: FurrowLogin
  /** Another one than the global, such as for tests. */
  readonly fetch?: typeof fetch
  /** How often a request is sent again after a lost connection, 429 or 503. */
  readonly retries?: number
}

interface Tokens {
  readonly access: string
  readonly refresh?: string
}

/** Types of records by their names; `furrow/client/records` has those of a farm as it comes. */
export interface FurrowRecords {
  /** The first generation: `log`, `farm_asset`, `taxonomy_term`. */
  readonly older: Readonly<Record<string, unknown>>
  /** The newer one: `log--harvest`, `asset--animal`, … */
  readonly newer: Readonly<Record<string, unknown>>
}

type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>

interface CreatedRecord {
  readonly id: string
  readonly uuid?: string
}

/** A farm over HTTP. Every method throws `FurrowError` where the farm refuses. */
export class FurrowClient<Records extends FurrowRecords = FurrowRecords> {
  readonly #base: string
  readonly #credential: Credential
  readonly #fetch: typeof fetch
  readonly #retries: number

  constructor({ base, login, fetch: own = globalThis.fetch.bind(globalThis), retries = 4 }: FurrowOptions) {
    this.#base = base.replace(/\/+$/, '')
    this.#fetch = own
    const grant = (parameters: RequestHeaders) => this.#grant(parameters)
    this.#credential = 'credential' in login ? login.credential : bearerCredential(login, grant)
    this.#retries = retries
  }

  /** One request with the token, sent again where that is safe; a body that is no text or bytes is sent as JSON. */
  async request(method: string, path: string, { body, headers = {}, signal }: RequestParts = {}): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob
    // The same key in every try: a write that was carried out is not carried out again.
    const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': newUuid() }
    const sent: Record<string, string> = {
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...key,
      ...headers,
    }
    for (let tries = 0; ; tries += 1) {
      const answer = await this.#try(method, path, {
        headers: sent,
        ...(signal && { signal }),
        // Browsers' types and Node's differ in which buffers an array of bytes may have.
        ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
      }).catch((error: unknown) => {
        if (tries >= this.#retries || signal?.aborted) throw error
        return null
      })
      if (answer !== null && (tries >= this.#retries || ![429, 503].includes(answer.status))) return accepted(answer)
      await pause(answer, tries)
    }
  }

  async read<T>(path: string, query: Query = {}): Promise<T> {
    const answer = await this.request('GET', withQuery(path, query), { headers: { accept: 'application/json' } })
    return (await answer.json()) as T
  }

  /** All records of a list of the first generation, page by page. */
  async *list<T extends keyof Records['older'] & string>(
    type: T,
    query: Query = {},
  ): AsyncGenerator<Records['older'][T]> {
    for (let page = 0; ; page += 1) {
      const { list, last } = await this.read<ListPage<Records['older'][T]>>(`/${type}.json`, {
        limit: 100,
        ...query,
        page,
      })
      yield* list
      if (page >= lastPageOf({ last })) return
    }
  }

  /** Makes a record under a UUID of the caller's own, so that a second try makes no second one. */
  async create(type: keyof Records['older'] & string, record: object): Promise<CreatedRecord> {
    const answer = await this.request('POST', `/${type}`, { body: { uuid: newUuid(), ...record } })
    return (await answer.json()) as CreatedRecord
  }

  async update(type: keyof Records['older'] & string, id: string, changes: object): Promise<void> {
    await this.request('PUT', `/${type}/${id}`, { body: changes })
  }

  async remove(type: keyof Records['older'] & string, id: string): Promise<void> {
    await this.request('DELETE', `/${type}/${id}`)
  }

  /** All or nothing; answers the results in their order. */
  async batch(operations: readonly ClientBatchOperation[]): Promise<readonly unknown[]> {
    const answer = await this.request('POST', '/batch', {
      body: batchBody(operations),
      headers: { 'content-type': 'application/json' },
    })
    return ((await answer.json()) as { results: unknown[] }).results
  }

  /** Resources of the newer generation, page by page: `resources('log--harvest', { sort: '-timestamp' })`. */
  async *resources<T extends keyof Records['newer'] & string>(
    type: T,
    query: Query = {},
  ): AsyncGenerator<Records['newer'][T]> {
    let path: string | undefined = withQuery(`/api/${type.replace('--', '/')}`, query)
    while (path !== undefined) {
      const page: ResourcePage<Records['newer'][T]> = await this.read(path)
      yield* page.data
      const next = page.links.next?.href
      path = next === undefined ? undefined : next.slice(next.indexOf('/api/'))
    }
  }

  /** Adds a photo or another file to a record, and answers what the farm says of it. */
  async addFile(path: string, bytes: Blob | Uint8Array, name: string): Promise<unknown> {
    return (await this.request('POST', path, { body: bytes, headers: fileHeaders(bytes, name) })).json()
  }

  /** Pages of changes after a cursor; `0` begins with everything. The caller keeps `next` of each page with what it brought. */
  changes<T = unknown>(cursor: string): AsyncGenerator<ChangePage<T>> {
    return changePages<T>((path) => this.read(path), cursor)
  }

  /** Changes as they happen, after a cursor; comes back by itself until it is aborted. Throws where the cursor is of another farm. */
  async *follow<T = unknown>(
    cursor: string,
    signal?: AbortSignal,
  ): AsyncGenerator<{ readonly change: FarmChange<T>; readonly cursor: string }> {
    for (let since = cursor; !signal?.aborted; ) {
      const headers = { accept: 'text/event-stream' }
      try {
        const { body } = await this.request('GET', changesPath(since), { headers, ...(signal && { signal }) })
        for await (const { event, data, id } of serverEvents(body as unknown as AsyncIterable<Uint8Array>)) {
          if (event === 'reset') throw new FurrowError(410, { detail: 'The farm is another: begin with a new cursor.' })
          if (event === 'change') yield { change: JSON.parse(data) as FarmChange<T>, cursor: id }
          since = id || since
        }
      } catch (error) {
        if (error instanceof FurrowError || signal?.aborted) {
          if (signal?.aborted) return
          throw error
        }
      }
    }
  }

  #try(method: string, path: string, init: RequestInit & { readonly headers: RequestHeaders }): Promise<Response> {
    return sendWith(this.#credential, (headers) =>
      this.#fetch(this.#base + path, { ...init, method, headers: { ...init.headers, ...headers } }),
    )
  }

  async #grant(parameters: RequestHeaders): Promise<Tokens> {
    const body = new URLSearchParams(parameters)
    const answer = await accepted(await this.#fetch(`${this.#base}/oauth/token`, { method: 'POST', body }))
    const { access_token: access, refresh_token: refresh } = (await answer.json()) as Record<string, string>
    return { access: access ?? '', ...(refresh !== undefined && { refresh }) }
  }
}

type TokenLogin = Exclude<FurrowLogin, { credential: Credential }>
type PasswordLogin = Exclude<TokenLogin, { token: string }>

function bearerCredential(login: TokenLogin, grant: (parameters: RequestHeaders) => Promise<Tokens>): Credential {
  if ('token' in login) return { headers: async () => bearer(login.token), renew: async () => false }
  const first = () => grant(passwordGrant(login))
  let tokens: Promise<Tokens> | null = null
  return {
    headers: async () => {
      tokens ??= first()
      return bearer((await tokens).access)
    },
    renew: async (answer) => {
      if (!saysTokenEnded(answer)) return false
      const refresh = (await tokens?.catch(() => null))?.refresh
      tokens =
        refresh === undefined
          ? null
          : grant({ client_id: clientOf(login), grant_type: 'refresh_token', refresh_token: refresh }).catch(first)
      return true
    },
  }
}

const bearer = (token: string): RequestHeaders => ({ authorization: `Bearer ${token}` })

/** The first generation says 403 where the newer one says 401. */
const saysTokenEnded = ({ status, headers }: Response): boolean =>
  [401, 403].includes(status) && /invalid_token/.test(headers.get('www-authenticate') ?? '')

const clientOf = ({ clientId }: PasswordLogin): string => clientId ?? 'farm'

interface RequestParts {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

interface ResourcePage<T> {
  readonly data: readonly T[]
  readonly links: { readonly next?: { readonly href: string } }
}

const passwordGrant = (login: PasswordLogin): RequestHeaders => ({
  client_id: clientOf(login),
  grant_type: 'password',
  username: login.username,
  password: login.password,
  scope: login.scope ?? 'user_access',
})

function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

async function accepted(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  throw new FurrowError(answer.status, problemIn(await answer.text()))
}

/** As long as the server says, or twice as long each time. */
function pause(answer: Response | null, tries: number): Promise<void> {
  const seconds = answer === null ? null : secondsToWait(answer.headers)
  const wait = seconds === null ? 250 * 2 ** tries : Math.min(seconds, 60) * 1000
  return new Promise((resolve) => setTimeout(resolve, wait))
}
