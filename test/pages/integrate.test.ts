import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { app, codeFor, decide, passwordRequest, person, pkcePair, redemption, token } from '../access/flow.ts'
import { furrow } from '../cli/built-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { root } from '../house/tree.ts'
import { installedFurrow } from './machine.ts'
import { outputOf, Page, start as startIn } from './page.ts'

const page = new Page('docs/integrate.md')

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

const start = (name: string, variables: Record<string, string> = {}): ChildProcess =>
  startIn(page.take(...name.split(' ')), { env: { ...surroundings, ...variables } })

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

  test.each(['js', 'python'])('code, by %s: the user opens the address and agrees', async (language) => {
    const child = start(`${language} code`, { CLIENT_ID: local.id })
    const done = outputOf(child)
    const address = await new Promise<URL>((resolve) =>
      child.stdout?.once('data', (text) => resolve(new URL(String(text).replace('Open ', '').trim()))),
    )
    const approved = await decide(ada, address.pathname + address.search)
    await fetch(approved.headers.get('location') ?? '')
    expect(await done).toMatch(/'?scope'?: 'farm_worker'/)
  })

  test('password', async () => {
    expect(JSON.parse(await outputOf(start('sh password')))).toMatchObject({ expires_in: '3600', scope: 'user_access' })
    for (const language of ['js', 'python']) {
      const output = await outputOf(start(`${language} password`))
      expect(output).toMatch(/'?list'?: \[/)
      expect(output).toMatch(/'?token_type'?: 'Bearer'/)
    }
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
    expect(await outputOf(start('python client-credentials', machines))).toContain("'scope': 'farm_worker'")
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
    const login = JSON.parse(await outputOf(start('sh session-json')))
    expect(login).toMatchObject({ current_user: { name: ada.name, roles: ['authenticated', 'farm_manager'] } })
    expect(JSON.parse(await outputOf(start('sh basic')))).toHaveProperty('list')
  })

  test('registration, by the command line', async () => {
    const data = await emptyDirectory()
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin', '--data', data], {
      input: 'green fields',
    })
    const env = { FURROW_DATA: data, PATH: await installedFurrow() }
    expect(await outputOf(startIn(page.take('sh', 'field-notes'), { env }))).toContain('field-notes')
    expect(await outputOf(startIn(page.take('sh', 'weather-station'), { env }))).toContain('weather-station')
  })

  test('no example was left out', () => {
    expect(page.left).toEqual([])
  })
})

test('the example in Python keeps a copy and records a log', async () => {
  const folder = await emptyDirectory()
  const { login } = await farm.login('worker')
  const env = { ...process.env, FARM: farm.base, TOKEN: login.token }
  for (const round of [1, 2]) {
    const { stdout } = await promisify(execFile)('python3', [join(root, 'examples/client.py')], { cwd: folder, env })
    expect([round, stdout]).toEqual([round, expect.stringMatching(/^\d+ records; True\n$/)])
  }
})
