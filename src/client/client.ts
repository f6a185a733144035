import { type ChangePage, changePages, changesPath, type FarmChange, heard, newUuid, serverEvents } from './changes.ts'
import { credentialOf, type FurrowLogin, type GivenTokens } from './login.ts'
import {
  batchBody,
  type ClientBatchOperation,
  type Credential,
  fileHeaders,
  type ListPage,
  lastPageOf,
  type RequestHeaders,
  sendWith,
} from './requests.ts'
import { accepted, acceptedInTime, FurrowError, isPassing, pause } from './retrying.ts'

export { type ChangePage, type FarmChange, newUuid } from './changes.ts'
export type { FurrowLogin } from './login.ts'
export { type ClientBatchOperation, type Credential, sessionCredential } from './requests.ts'
export { FurrowError } from './retrying.ts'

export interface FurrowOptions {
  /** Without a slash at the end. */
  readonly base: string
  readonly login: FurrowLogin
  /** Another one than the global, such as for tests. */
  readonly fetch?: typeof fetch
  /** How often a request is sent again after a lost connection, 429, 502, 503 or 504. */
  readonly retries?: number
}

/** Types of records by their names; `furrow/client/records` has those of a farm as it comes. */
export interface FurrowRecords {
  /** The first generation as it is read: `log`, `farm_asset`, `taxonomy_term`. */
  readonly older: Readonly<Record<string, unknown>>
  /** The same as it is written: what makes a record, and what changes one. */
  readonly made: Readonly<Record<string, object>>
  readonly changed: Readonly<Record<string, object>>
  /** The newer generation: `log--harvest`, `asset--animal`, … */
  readonly newer: Readonly<Record<string, unknown>>
}

type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>

interface CreatedRecord {
  readonly id: string
  readonly uuid: string
}

/** Members of a resource to write: names of its type, and values in any spelling that the farm takes. */
export interface GivenResource<Resource> {
  readonly id?: string
  readonly attributes?: NamesIn<Resource, 'attributes', unknown>
  readonly relationships?: NamesIn<Resource, 'relationships', { readonly data: unknown }>
}

type NamesIn<Resource, Member extends string, Value> =
  Resource extends Readonly<Partial<Record<Member, infer Members>>>
    ? { readonly [Name in keyof NonNullable<Members>]?: Value }
    : Readonly<Record<string, Value>>

/** A farm over HTTP. Every method throws `FurrowError` where the farm refuses. */
export class FurrowClient<Records extends FurrowRecords = FurrowRecords> {
  readonly #base: string
  readonly #credential: Credential
  readonly #fetch: typeof fetch
  readonly #retries: number

  constructor({ base, login, fetch: own = globalThis.fetch.bind(globalThis), retries = 4 }: FurrowOptions) {
    this.#base = base.replace(/\/+$/, '')
    this.#fetch = own
    this.#credential = credentialOf(login, (parameters) => this.#grant(parameters))
    this.#retries = retries
  }

  /** One request, let in and sent again where that is safe; a body that is no text or bytes is sent as JSON. */
  request(method: string, path: string, { body, headers = {}, signal }: RequestParts = {}): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob
    // The same key in every try: a write that was carried out is not carried out again.
    const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': newUuid() }
    const sent: Record<string, string> = {
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...key,
      ...headers,
    }
    const init: RequestInit = {
      method,
      ...(signal && { signal }),
      // Browsers' types and Node's differ in which buffers an array of bytes may have.
      ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
    }
    const send = (admitted: RequestHeaders) =>
      this.#fetch(this.#base + path, { ...init, headers: { ...sent, ...admitted } })
    return acceptedInTime(() => sendWith(this.#credential, send), { retries: this.#retries, signal })
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

  /** One record of the first generation, by its id or UUID. */
  get<T extends keyof Records['older'] & string>(type: T, id: string): Promise<Records['older'][T]> {
    return this.read(`/${type}/${encodeURIComponent(id)}.json`)
  }

  /** Makes a record under a UUID of the caller's own, so that a second try makes no second one. */
  async create<T extends keyof Records['made'] & string>(type: T, record: Records['made'][T]): Promise<CreatedRecord> {
    const body = { uuid: newUuid(), ...record }
    const answer = await this.request('POST', `/${type}`, { body })
    return { ...((await answer.json()) as { id: string }), uuid: body.uuid }
  }

  async update<T extends keyof Records['changed'] & string>(
    type: T,
    id: string,
    changes: Records['changed'][T],
  ): Promise<void> {
    await this.request('PUT', `/${type}/${encodeURIComponent(id)}`, { body: changes })
  }

  async remove(type: keyof Records['older'] & string, id: string): Promise<void> {
    await this.request('DELETE', `/${type}/${encodeURIComponent(id)}`)
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
    let path: string | undefined = withQuery(resourcePath(type), query)
    while (path !== undefined) {
      const page: ResourcePage<Records['newer'][T]> = await this.read(path)
      yield* page.data
      const next = page.links.next?.href
      path = next === undefined ? undefined : next.slice(next.indexOf('/api/'))
    }
  }

  async resource<T extends keyof Records['newer'] & string>(type: T, id: string): Promise<Records['newer'][T]> {
    return (await this.read<{ data: Records['newer'][T] }>(resourcePath(type, id))).data
  }

  /** Makes a resource, under a UUID of the caller's own if none is given. */
  createResource<T extends keyof Records['newer'] & string>(
    type: T,
    given: GivenResource<Records['newer'][T]>,
  ): Promise<Records['newer'][T]> {
    return this.#write('POST', resourcePath(type), { type, id: newUuid(), ...given })
  }

  updateResource<T extends keyof Records['newer'] & string>(
    type: T,
    id: string,
    changes: Omit<GivenResource<Records['newer'][T]>, 'id'>,
  ): Promise<Records['newer'][T]> {
    return this.#write('PATCH', resourcePath(type, id), { type, id, ...changes })
  }

  async removeResource(type: keyof Records['newer'] & string, id: string): Promise<void> {
    await this.request('DELETE', resourcePath(type, id))
  }

  /** Adds a photo or another file to a record, and answers what the farm says of it. */
  async addFile(path: string, bytes: Blob | Uint8Array, name: string): Promise<unknown> {
    // The newer generation takes bytes of one type only, and looks at the name.
    const type: RequestHeaders = path.startsWith('/api/') ? { 'content-type': 'application/octet-stream' } : {}
    return (await this.request('POST', path, { body: bytes, headers: { ...fileHeaders(bytes, name), ...type } })).json()
  }

  /** The bytes of a file, by the address that a record has of it. */
  async file(address: string): Promise<Blob> {
    return (await this.request('GET', address.slice(address.indexOf('/file/')))).blob()
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
    const parts = { headers: { accept: 'text/event-stream' }, ...(signal && { signal }) }
    for (let since = cursor; !signal?.aborted; ) {
      try {
        const { body } = await this.request('GET', changesPath(since), parts)
        if (body === null) throw new TypeError('There is no stream of changes.')
        for await (const { event, data, id } of serverEvents(heard(body))) {
          if (event === 'reset') throw new FurrowError(410, { detail: 'The farm is another: begin with a new cursor.' })
          since = id || since
          if (event === 'change') yield { change: JSON.parse(data) as FarmChange<T>, cursor: since }
        }
      } catch (error) {
        if (!signal?.aborted && !isPassing(error)) throw error
      }
      await pause(1, 0, signal)
    }
  }

  async #write<T>(method: string, path: string, data: object): Promise<T> {
    const headers = { 'content-type': 'application/vnd.api+json', accept: 'application/vnd.api+json' }
    const answer = await this.request(method, path, { body: JSON.stringify({ data }), headers })
    return ((await answer.json()) as { data: T }).data
  }

  async #grant(parameters: RequestHeaders): Promise<GivenTokens> {
    const body = new URLSearchParams(parameters)
    const answer = await accepted(await this.#fetch(`${this.#base}/oauth/token`, { method: 'POST', body }))
    const { access_token: access, refresh_token: refresh } = (await answer.json()) as Record<string, string>
    return { access: access ?? '', ...(refresh !== undefined && { refresh }) }
  }
}

interface RequestParts {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

interface ResourcePage<T> {
  readonly data: readonly T[]
  readonly links: { readonly next?: { readonly href: string } }
}

const resourcePath = (type: string, id?: string): string =>
  `/api/${type.replace('--', '/')}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`

function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}
