import type { Json } from '../harness/client.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import type { Farm } from './data/farm.ts'
import { hillFarm, manager } from './farms/hill-farm.ts'
import { type FarmosServer, type Start, startFarmos } from './server.ts'

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

/** Asks the server as a client does that has logged in by some header. */
export class Visitor {
  readonly #address: string
  readonly #headers: Readonly<Record<string, string>>

  constructor({ address }: FarmosServer, headers: Readonly<Record<string, string>> = {}) {
    this.#address = address
    this.#headers = headers
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
    return this.#ask(path, { headers: { ...this.#headers, ...headers } })
  }

  async send(path: string, body: Readonly<Record<string, string>>, headers = {}): Promise<Got> {
    const form = new URLSearchParams(body)
    return this.#ask(path, { method: 'POST', body: form, headers: { ...this.#headers, ...headers } })
  }

  async #ask(path: string, init: RequestInit): Promise<Got> {
    const answer = await fetch(path.startsWith('/') ? this.#address + path : path, { redirect: 'manual', ...init })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
}

/** A server until the end of the test file. */
export async function farmos(farm: Farm = hillFarm(), start: Start = {}): Promise<FarmosServer> {
  const server = await startFarmos(farm, start)
  atEndOfFile(() => server.stop())
  return server
}

export const passwordGrant = {
  grant_type: 'password',
  client_id: 'farm',
  username: manager.name,
  password: manager.password,
  scope: 'user_access',
}

export async function withToken(server: FarmosServer, more: Readonly<Record<string, string>> = {}): Promise<Visitor> {
  const { body } = await new Visitor(server).send('/oauth2/token', { ...passwordGrant, ...more })
  return new Visitor(server, { authorization: `Bearer ${body.access_token}` })
}

export async function withCookie(server: FarmosServer, { name, password } = manager): Promise<Visitor> {
  const form = { name, pass: password, form_id: 'user_login' }
  const { headers } = await new Visitor(server).send('/user/login', form)
  return new Visitor(server, { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' })
}
