import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { furrow, type Outcome, type RunningServer, serve } from './built-furrow.ts'

describe.each(atLeastOn('sqlite'))('clients beside a running server on %s', (engine) => {
  let server: RunningServer
  let env: Record<string, string>

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
    server = await serve([], { env })
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: 'green fields 42' })
  })

  const client = (...args: string[]): Promise<Outcome> => furrow(['client', ...args], { env })
  const secretIn = ({ stdout }: Outcome): string => /^ {2}(\S{32,})$/m.exec(stdout)?.[1] ?? ''

  async function tokenFor(parameters: Record<string, string>): Promise<{ status: number; access_token?: string }> {
    const body = new URLSearchParams(parameters)
    const response = await fetch(`${server.address}/oauth/token`, { method: 'POST', body })
    return { status: response.status, ...((await response.json()) as object) }
  }

  const asMachine = (secret: string) =>
    tokenFor({ grant_type: 'client_credentials', client_id: 'weather', client_secret: secret, scope: 'farm_worker' })

  const infoWith = async (token = ''): Promise<number> =>
    (await fetch(`${server.address}/farm.json`, { headers: { authorization: `Bearer ${token}` } })).status

  it('are there without registration: farm and fieldkit, which can be given an origin and not be removed', async () => {
    const listed = (await client('list')).stdout
    expect(listed).toMatch(/^farm +Farm client +active +password refresh_token$/m)
    expect(listed).toMatch(/^fieldkit +Field Kit +active +password refresh_token$/m)
    const shown = (await client('show', 'fieldkit')).stdout
    expect(shown).toMatch(/^default-scope +farm_manager farm_worker farm_viewer$/m)
    expect(shown).toMatch(/^expires-in +by-scope$/m)
    expect(await client('set', 'fieldkit', '--origin', 'https://app.example')).toMatchObject({ code: 0 })
    expect((await client('show', 'fieldkit')).stdout).toMatch(/^origin +https:\/\/app\.example$/m)
    expect(await client('remove', 'fieldkit')).toMatchObject({ code: 1 })
    const typed = { grant_type: 'password', client_id: 'fieldkit', username: 'ada', password: 'green fields 42' }
    expect(await tokenFor(typed)).toMatchObject({ status: 200, expires_in: 3600 })
  })

  it('live from registration to removal', async () => {
    const added = await client(
      ...['add', 'weather', '--label', 'Weather station', '--secret', '--grant', 'client_credentials'],
      ...['--scope', 'farm_worker', '--expires-in', 'number', '--access-lifetime', '60'],
    )
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const secret = secretIn(added)
    expect(secret).not.toBe('')
    expect((await client('list')).stdout).toMatch(/^weather +Weather station +active +client_credentials$/m)
    const shown = (await client('show', 'weather')).stdout
    expect(shown).toMatch(/^access-lifetime +60 s$/m)
    expect(shown).not.toContain(secret)

    const first = await asMachine(secret)
    expect(first).toMatchObject({ status: 200, expires_in: 60 })
    expect(await infoWith(first.access_token)).toBe(200)
    const held = (await client('tokens', 'weather')).stdout
    expect(held).toMatch(/^weather +weather +\S+Z +\S+Z +farm_worker$/m)
    expect(held).not.toContain(first.access_token)
    expect((await client('revoke', 'weather')).stdout).toBe('1 login or consent ended, with all tokens.\n')
    expect(await infoWith(first.access_token)).toBe(403)

    const rotated = secretIn(await client('rotate-secret', 'weather'))
    expect(rotated).not.toBe(secret)
    expect((await asMachine(secret)).status).toBe(401)
    const second = await asMachine(rotated)
    expect(second.status).toBe(200)

    expect((await client('set', 'weather', '--disable', '--label', 'Old station')).code).toBe(0)
    expect((await client('list')).stdout).toMatch(/^weather +Old station +disabled/m)
    expect(await infoWith(second.access_token)).toBe(403)
    expect((await client('set', 'weather', '--enable')).code).toBe(0)
    expect((await asMachine(rotated)).status).toBe(200)

    expect((await client('remove', 'weather')).code).toBe(0)
    expect((await asMachine(rotated)).status).toBe(401)
    expect((await client('list')).stdout).not.toContain('weather')
  })

  it('are not said to be changed by a command that changes nothing, and http is for this machine only', async () => {
    const { code, stdout, stderr } = await client('set', 'farm')
    expect([code, stdout]).toEqual([2, ''])
    for (const option of ['--label', '--redirect-uri', '--code-lifetime', '--disable', '--enable'])
      expect(stderr).toContain(option)
    expect((await client('set', 'farm', '--origin', '')).code).toBe(0)
    const turned = await client('add', 'turned', '--label', 'Wea\u202ether')
    expect(turned).toMatchObject({ code: 1, stderr: expect.stringContaining('The label holds the character U+202E') })
    const plain = await client('add', 'plain', '--label', 'Plain', '--redirect-uri', 'http://app.example/cb')
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('http:// is for localhost, 127.0.0.1') })
  })

  it('end the tokens of one user', async () => {
    const password = { username: 'ada', password: 'green fields 42' }
    const { access_token: token } = await tokenFor({ grant_type: 'password', client_id: 'farm', ...password })
    expect(await infoWith(token)).toBe(200)
    expect((await client('tokens', '--user', 'ada')).stdout).toMatch(/^farm +ada /m)
    expect((await client('tokens')).stdout).toMatch(/^farm +ada /m)
    expect((await client('revoke', 'farm', '--user', 'ada')).code).toBe(0)
    expect(await infoWith(token)).toBe(403)
    expect((await client('tokens', '--user', 'ada')).stdout).not.toMatch(/^farm /m)
  })
})

describe('clients without a server', () => {
  let env: Record<string, string>

  beforeAll(async () => {
    env = { FURROW_DATA: await emptyDirectory() }
  })

  const client = (...args: string[]): Promise<Outcome> => furrow(['client', ...args], { env })

  it('take lists, and an empty value empties one', async () => {
    const uris = ['https://app.example/cb', 'http://localhost/cb']
    const app = ['add', 'app', '--label', 'App', '--origin', 'https://app.example', '--default-scope', 'farm_viewer']
    expect((await client(...app, ...uris.flatMap((uri) => ['--redirect-uri', uri]))).code).toBe(0)
    expect((await client('show', 'app')).stdout).toMatch(
      /^redirect-uri +https:\/\/app\.example\/cb http:\/\/localhost\/cb$/m,
    )
    expect((await client('show', 'app')).stdout).toMatch(/^pkce +required$/m)
    expect((await client('set', 'app', '--origin', '', '--pkce', 'optional')).code).toBe(0)
    const shown = (await client('show', 'app')).stdout
    expect(shown).toMatch(/^origin$/m)
    expect(shown).toMatch(/^pkce +optional$/m)
    expect(shown).toMatch(/^default-scope +farm_viewer$/m)
  })

  it.each([
    [['add', 'x', '--label', 'X', '--redirect-uri', 'javascript:alert(1)'], 1, 'javascript:'],
    [['add', 'x', '--label', 'X', '--redirect-uri', 'https://a.example', '--scope', 'all'], 1, 'farm_viewer'],
    [['add', 'farm', '--label', 'X', '--redirect-uri', 'https://a.example'], 1, 'farm'],
    [['show', 'x'], 1, '"x"'],
    [['revoke'], 2, '--user'],
    [['tokens', '--user', 'nobody'], 1, '"nobody"'],
    [['revoke', '--user', 'nobody'], 1, '"nobody"'],
  ])('are refused with a reason: %j', async (args, code, word) => {
    const refused = await client(...args)
    expect(refused).toMatchObject({ code, stdout: '' })
    expect(refused.stderr).toContain(word)
  })
})
