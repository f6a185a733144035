import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { addAccount } from '../../src/access/accounts.ts'
import { addClient, type NewClient } from '../../src/access/oauth/registration.ts'
import type { RoleName } from '../../src/farm/people/roles.ts'
import { type Answer, Client } from '../harness/client.ts'
import type { FarmUnderTest } from '../harness/farm.ts'
import { Browser, hiddenFields } from './browser.ts'

/** The endpoints under their own name and under the older one. */
export const families = ['/oauth', '/oauth2'] as const

export interface Person {
  readonly uid: number
  readonly name: string
  readonly password: string
  readonly browser: Browser
}

let count = 0

/** Somebody with an account and a browser, logged in unless told otherwise. */
export async function person(farm: FarmUnderTest, role: RoleName | null = 'manager'): Promise<Person> {
  const someone = await stranger(farm, role)
  expect(await someone.browser.logIn(someone.name, someone.password)).toMatchObject({ status: 302 })
  return someone
}

/** A manager with a session that has just shown its password. */
export async function administrator(farm: FarmUnderTest): Promise<Client> {
  const { name, password, browser } = await person(farm)
  const csrf = (await browser.get('/restws/session/token')).text
  return new Client(farm.base, { cookie: browser.cookie, 'x-csrf-token': csrf }, { name, password, token: '' })
}

export async function stranger(farm: FarmUnderTest, role: RoleName | null = 'manager'): Promise<Person> {
  const name = `person-${++count}`
  const password = `the password of ${name}`
  const { uid } = await addAccount(farm.installation, { name, password, role })
  return { uid, name, password, browser: new Browser(farm) }
}

export interface App {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

/** A registered client, public and without PKCE unless told otherwise. */
export async function app(farm: FarmUnderTest, given: Partial<NewClient> = {}): Promise<App> {
  const id = given.id ?? `app-${++count}`
  const redirectUri = given.redirectUris?.[0] ?? 'https://app.example/cb'
  const { secret } = await addClient(farm.installation, {
    label: 'An app',
    redirectUris: [redirectUri],
    pkce: 'optional',
    ...given,
    id,
  })
  return { id, secret: secret ?? '', redirectUri }
}

export function query(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString()
}

export function asked(client: App, extra: Record<string, string> = {}): Record<string, string> {
  return {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: 'user_access',
    state: 'a state',
    ...extra,
  }
}

/** Shows the consent page and answers it. */
export async function decide(
  { browser }: Person,
  address: string,
  answer: 'approve' | 'deny' = 'approve',
): Promise<Answer> {
  const page = await browser.get(address)
  expect(page, page.text).toMatchObject({ status: 200 })
  const { request = '', csrf = '' } = hiddenFields(page.text)
  return browser.post(address.replace(/\?.*/, ''), { request, csrf, answer })
}

export function sentBack(answer: Answer): URLSearchParams {
  expect([302, 303], answer.text).toContain(answer.status)
  return new URL(answer.headers.get('location') ?? '').searchParams
}

export async function codeFor(someone: Person, client: App, extra: Record<string, string> = {}, family = '/oauth') {
  const answer = await decide(someone, `${family}/authorize?${query(asked(client, extra))}`)
  return sentBack(answer).get('code') ?? ''
}

export function token(
  farm: Pick<FarmUnderTest, 'anonymous'>,
  parameters: Record<string, string>,
  { family = '/oauth', headers = {} }: { family?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return farm.anonymous.send('POST', `${family}/token`, { body: new URLSearchParams(parameters), headers })
}

export function redemption(client: App, code: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    client_id: client.id,
    client_secret: client.secret,
    redirect_uri: client.redirectUri,
    ...extra,
  }
}

export function passwordRequest(
  { name, password }: Pick<Person, 'name' | 'password'>,
  extra: Record<string, string> = {},
): Record<string, string> {
  return { grant_type: 'password', client_id: 'farm', username: name, password, scope: 'user_access', ...extra }
}

export function refreshRequest(refreshToken: string, extra: Record<string, string> = {}): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: 'farm', refresh_token: refreshToken, ...extra }
}

/** What the newer interface says to this token: 200 while it is good. */
export async function statusWith(farm: FarmUnderTest, accessToken: string): Promise<number> {
  const answer = await farm.anonymous.get('/api', { authorization: `Bearer ${accessToken}` })
  return answer.status
}

export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}
