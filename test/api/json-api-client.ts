import type { Answer, Client, Json } from '../harness/client.ts'

/** How a document names a resource. */
export interface Named {
  readonly type: string
  readonly id: string
}

export interface Members {
  readonly id?: unknown
  readonly type?: unknown
  readonly attributes?: Json
  readonly relationships?: Json
}

type Headers = Readonly<Record<string, string>>

export const addressOf = ({ type, id }: Named): string => `/api/${type.replace('--', '/')}/${id}`
export const named = ({ type, id }: Named): Named => ({ type, id })
/** A relationship as a body has it, to one or to several. */
export const to = (target: Named | readonly Named[] | null) => ({
  data: target === null ? null : 'id' in target ? named(target) : target.map(named),
})
export const pointers = ({ body }: Answer): string[] => body.errors.map(({ source }: Json) => source?.pointer)
export const details = ({ body }: Answer): string[] => body.errors.map(({ detail }: Json) => detail)

/** Speaks JSON:API to a farm under test. */
export class JsonApiClient {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** `make('asset/land', { attributes: … })`. */
  make(path: string, members: Members = {}, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', `/api/${path}`, { data: { type: path.replace('/', '--'), ...members } }, headers)
  }

  /** A new resource; a refusal fails the test. */
  async made(path: string, attributes: Json = {}, relationships: Json = {}): Promise<Json> {
    const answer = await this.make(path, { attributes, relationships })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data
  }

  change(resource: Named, members: Members, headers: Headers = {}): Promise<Answer> {
    return this.send('PATCH', addressOf(resource), { data: { ...named(resource), ...members } }, headers)
  }

  drop(resource: Named, headers: Headers = {}): Promise<Answer> {
    return this.#client.send('DELETE', addressOf(resource), { headers })
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.#client.get(path, headers)
  }

  /** A resource as it is now; a refusal fails the test. */
  async read(resource: Named, query = ''): Promise<Json> {
    const answer = await this.get(`${addressOf(resource)}${query}`)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.data
  }

  send(method: string, path: string, document: unknown, headers: Headers = {}): Promise<Answer> {
    const type = { 'content-type': 'application/vnd.api+json', ...headers }
    return this.#client.send(method, path, { headers: type, body: JSON.stringify(document) })
  }
}
