import { expect } from 'vitest'
import { contractAt } from './contract.ts'
import { checkResources } from './resource-schemas.ts'

// Answers are whatever came over the wire; a test says what it expects of them.
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the tests are about
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

interface Login {
  readonly name: string
  readonly password: string
  readonly token: string
}

/** Speaks HTTP to a farm under test, with the same headers on every request. */
export class Client {
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>
  readonly login: Login

  /** Answers are asked for as they are: to compress each costs more than to answer it. */
  constructor(
    base: string,
    headers: Readonly<Record<string, string>>,
    login: Login = { name: '', password: '', token: '' },
  ) {
    this.#base = base
    this.#headers = { 'accept-encoding': 'identity', ...headers }
    this.login = login
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, { headers })
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.sendJson('POST', path, body)
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.sendJson('PUT', path, body)
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path)
  }

  sendJson(method: string, path: string, body: unknown): Promise<Answer> {
    return this.send(method, path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) }
    const answer = await fetch(`${this.#base}${path}`, { redirect: 'manual', ...init, method, headers })
    const text = await answer.text()
    const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
    const body = mediaType.endsWith('json') && text !== '' ? JSON.parse(text) : null
    const { status } = answer
    const exchange = { method, path, status, mediaType, text, body }
    contractAt(this.#base)?.check(exchange)
    checkResources(this.#base, exchange)
    return { status, headers: answer.headers, text, body }
  }

  /** An answer that may never come to its end. */
  stream(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) }
    return fetch(`${this.#base}${path}`, { ...init, headers })
  }

  /** Creates a record and gives its id; a refusal fails the test. */
  async create(type: 'log' | 'farm_asset' | 'taxonomy_term', body: unknown): Promise<string> {
    const answer = await this.post(`/${type}`, body)
    expect(answer, answer.text).toMatchObject({ status: 201 })
    return answer.body.id
  }

  /** Reads a record; a refusal fails the test. */
  async read(path: string): Promise<Json> {
    const answer = await this.get(path)
    expect(answer, answer.text).toMatchObject({ status: 200 })
    return answer.body
  }

  /** The ids of a list, in its order. */
  async ids(path: string): Promise<string[]> {
    return (await this.read(path)).list.map((record: Json) => record.id)
  }
}
