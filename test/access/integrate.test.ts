import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'
import { app, codeFor, decide, passwordRequest, person, pkcePair, redemption, token } from './flow.ts'

const page = await readFile(new URL('../../docs/integrate.md', import.meta.url), 'utf8')
const examples = new Map(
  [...page.matchAll(/^```(sh|js) (\S+)\n([\s\S]*?)^```$/gm)].map(([, language, name, code = '']) => [
    `${language} ${name}`,
    code,
  ]),
)

const farm = await openFarm({ engine: 'sqlite', settings: { basicAuth: /./ } })
const ada = await person(farm)
const machine = await app(farm, {
  secret: true,
  grants: ['client_credentials'],
  scopes: ['farm_worker'],
  redirectUris: [],
})
const redirectUri = 'http://127.0.0.1/callback'
const local = await app(farm, { redirectUris: [redirectUri], scopes: ['farm_worker'], pkce: 'required' })

const surroundings = { FARM: farm.base, FARM_USER: ada.name, FARM_PASSWORD: ada.password }
const machines = { CLIENT_ID: machine.id, CLIENT_SECRET: machine.secret }
const pair = async () => (await token(farm, passwordRequest(ada))).body

const run = new Set<string>()

function start(name: string, variables: Record<string, string> = {}): ChildProcess {
  const code = examples.get(name)
  if (code === undefined) throw new Error(`The page has no example "${name}".`)
  run.add(name)
  const [command, ...options] = name.startsWith('sh')
    ? ['sh', '-euc', code]
    : ['node', '--input-type=module', '-e', code]
  return spawn(command ?? '', options, {
    env: { PATH: process.env.PATH, ...surroundings, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.on('data', (bytes) => {
    output += bytes
  })
  child.stderr?.on('data', (bytes) => {
    output += bytes
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, output).toBe(0)
  return output
}

describe('docs/integrate.md', () => {
  test('code, by shell', async () => {
    const { verifier, challenge } = pkcePair()
    const proof = { scope: 'farm_worker', code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await codeFor(ada, local, proof)
    const output = await outputOf(
      start('sh code', { CLIENT_ID: local.id, CODE: code, VERIFIER: verifier, REDIRECT_URI: redirectUri }),
    )
    expect(JSON.parse(output)).toMatchObject({ scope: 'farm_worker', token_type: 'Bearer' })
  })

  test('code, by JavaScript: the user opens the address and agrees', async () => {
    const child = start('js code', { CLIENT_ID: local.id })
    const done = outputOf(child)
    const address = await new Promise<URL>((resolve) =>
      child.stdout?.once('data', (bytes) => resolve(new URL(String(bytes).replace('Open ', '').trim()))),
    )
    const approved = await decide(ada, address.pathname + address.search)
    await fetch(approved.headers.get('location') ?? '')
    expect(await done).toContain("scope: 'farm_worker'")
  })

  test('password', async () => {
    expect(JSON.parse(await outputOf(start('sh password')))).toMatchObject({ expires_in: '3600', scope: 'user_access' })
    const output = await outputOf(start('js password'))
    expect(output).toContain('list: [')
    expect(output).toContain("token_type: 'Bearer'")
  })

  test('use and refresh', async () => {
    const { access_token, refresh_token } = await pair()
    expect(JSON.parse(await outputOf(start('sh use', { ACCESS_TOKEN: access_token })))).toMatchObject({
      api_version: '1.3',
    })
    const refreshed = JSON.parse(await outputOf(start('sh refresh', { REFRESH_TOKEN: refresh_token })))
    expect(refreshed.refresh_token).not.toBe(refresh_token)
  })

  test('client credentials', async () => {
    expect(JSON.parse(await outputOf(start('sh client-credentials', machines)))).toMatchObject({ scope: 'farm_worker' })
    expect(await outputOf(start('js client-credentials', machines))).toMatch(/^201 /)
  })

  test('revocation and introspection', async () => {
    const { refresh_token } = await pair()
    expect(JSON.parse(await outputOf(start('sh revoke', { REFRESH_TOKEN: refresh_token })))).toEqual({ revoked: true })
    const confidential = await app(farm, { secret: true })
    const { body } = await token(farm, redemption(confidential, await codeFor(ada, confidential)))
    const own = { CLIENT_ID: confidential.id, CLIENT_SECRET: confidential.secret, ACCESS_TOKEN: body.access_token }
    expect(JSON.parse(await outputOf(start('sh introspect', own)))).toMatchObject({ active: true, username: ada.name })
  })

  test('session and Basic', async () => {
    expect(JSON.parse(await outputOf(start('sh session')))).toMatchObject({ resource: 'log' })
    expect(JSON.parse(await outputOf(start('sh basic')))).toHaveProperty('list')
  })

  test('no example was left out', () => {
    expect([...examples.keys()].filter((name) => !run.has(name))).toEqual([])
  })
})
