import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { furrow, type Outcome, type RunningServer, serve } from './built-furrow.ts'

const password = 'green fields 42'

describe.each(atLeastOn('postgres'))('accounts beside a running server on %s', (engine) => {
  let server: RunningServer
  let env: Record<string, string>

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
    server = await serve([], { env })
  })

  const user = (...args: string[]): Promise<Outcome> => furrow(['user', ...args], { env, input: `${password}\n` })

  async function logIn(name: string, secret: string): Promise<Response> {
    return fetch(`${server.address}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: name, password: secret }),
    })
  }

  async function infoWith(token: string): Promise<number> {
    return (await fetch(`${server.address}/farm.json`, { headers: { authorization: `Bearer ${token}` } })).status
  }

  async function tokenOf(name: string): Promise<string> {
    const { access_token: token } = (await (await logIn(name, password)).json()) as { access_token: string }
    return token
  }

  it('are added, and can log in at once', async () => {
    expect(await user('add', 'ada', '--role', 'manager', '--mail', 'ada@farm.example', '--password-stdin')).toEqual({
      code: 0,
      stdout: 'ada can log in now, as manager.\n',
      stderr: '',
    })
    expect(await infoWith(await tokenOf('ada'))).toBe(200)
    expect((await user('list')).stdout).toMatch(/\bada +manager +active +en +ada@farm\.example\n/)
  })

  it('have their passwords hashed at full strength', async () => {
    const to = join(await emptyDirectory(), 'export')
    expect(await furrow(['export', to], { env })).toMatchObject({ code: 0 })
    const [first = ''] = readFileSync(join(to, 'account/000001.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(first)).toMatchObject({
      name: 'ada',
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    })
  })

  it('are refused before anybody is asked for a password', async () => {
    await user('add', 'zoe', '--role', 'worker', '--password-stdin')
    for (const [args, reason] of [
      [['add', ' ZOE', '--role', 'worker'], 'There is already an account named "ZOE": choose another name.'],
      [['add', 'a:b', '--role', 'worker'], 'A user name holds no colon'],
      [['add', 'n'.repeat(61), '--role', 'worker'], 'A user name has 1 to 60 characters'],
      [['add', 'eva', '--role', 'worker', '--mail', 'nowhere'], '"nowhere" is not a mail address.'],
      [['add', 'eva', '--role', 'worker', '--mail', 'a\u202e@b.example'], 'is not a mail address.'],
      [['add', 'eva', '--role', 'worker', '--language', 'xx'], 'does not know the language "xx"'],
      [['set-password', 'nobody'], 'There is no account named "nobody"'],
    ] as const) {
      const { code, stderr } = await user(...args)
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)])
    }
    expect(await user('add', 'eva', '--role', 'worker')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no terminal to type a password on'),
    })
    expect((await user('list')).stdout).not.toMatch(/eva/)
  })

  it('cannot lose their last manager, however it is tried, and are told what to do instead', async () => {
    for (const attempt of [
      ['block', 'ada'],
      ['remove', 'ada'],
      ['set-role', 'ada', 'worker'],
    ]) {
      const { code, stderr } = await user(...attempt)
      expect(code).toBe(1)
      expect(stderr).toContain('This is the last manager of the farm.')
      expect(stderr).toContain('furrow user add NAME --role manager')
    }
    expect((await user('set-role', 'ada', 'manager')).code).toBe(0)
    expect((await user('list')).stdout).toMatch(/\bada +manager +active\b/)
    await user('add', 'eve', '--role', 'manager', '--password-stdin')
    expect((await user('block', 'eve')).code).toBe(0)
    expect((await user('block', 'ada')).stderr).toContain('This is the last manager of the farm.')
    expect((await user('unblock', 'eve')).code).toBe(0)
  })

  it('are given another role', async () => {
    expect((await user('set-role', 'ada', 'viewer')).stdout).toBe('ada is now viewer.\n')
    expect((await user('set-role', 'ada', '--role', 'none')).stdout).toBe('ada is now without a role.\n')
    expect((await user('list')).stdout).toMatch(/\bada +none +active\b/)
  })

  it('lose everything when they are blocked, until they are unblocked', async () => {
    const token = await tokenOf('ada')
    expect((await user('block', 'ada')).code).toBe(0)
    expect(await infoWith(token)).toBe(403)
    expect((await logIn('ada', password)).status).toBe(400)
    expect((await user('list')).stdout).toMatch(/\bada +none +blocked\b/)
    expect((await user('unblock', 'ada')).code).toBe(0)
    expect((await logIn('ada', password)).status).toBe(200)
  })

  it('are given another password', async () => {
    const another = { env, input: 'brown fields 43' }
    expect((await furrow(['user', 'set-password', 'ada', '--password-stdin'], another)).code).toBe(0)
    expect((await logIn('ada', password)).status).toBe(400)
    expect((await logIn('ada', 'brown fields 43')).status).toBe(200)
  })

  it('are removed', async () => {
    expect(await user('remove', 'ada')).toMatchObject({ code: 0, stdout: 'ada is gone.\n' })
    expect((await user('list')).stdout).not.toContain('ada')
  })

  it('are kept and blocked where they have recorded something', async () => {
    await user('add', 'ben', '--role', 'worker', '--password-stdin')
    const token = await tokenOf('ben')
    const log = await fetch(`${server.address}/log`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Fed the hens', type: 'farm_activity', timestamp: 1_700_000_000 }),
    })
    expect(log.status).toBe(201)
    expect((await user('remove', 'ben')).stdout).toMatch(/blocked and kept/)
    expect((await user('list')).stdout).toMatch(/\bben +worker +blocked\b/)
  })

  it('never show their password', async () => {
    expect(server.output()).not.toContain(password)
  })
})

describe('an account that cannot be', () => {
  it('is refused with a reason and exit code 1', async () => {
    const env = { FURROW_DATA: await emptyDirectory() }
    const user = (...args: string[]) => furrow(['user', ...args], { env, input: password })
    await user('add', 'cleo', '--role', 'viewer', '--password-stdin')
    const again = await user('add', 'Cleo', '--role', 'viewer', '--password-stdin')
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain('Cleo')
    const short = { env, input: 'short' }
    expect(await furrow(['user', 'add', 'dan', '--role', 'none', '--password-stdin'], short)).toMatchObject({
      code: 1,
      stderr: 'furrow: The password is too short: it needs at least 8 characters.\n',
    })
    const weak = ['user', 'add', 'dan', '--role', 'none', '--password-stdin', '--allow-weak-password']
    expect((await furrow(weak, short)).code).toBe(0)
    for (const [verb, ...rest] of [['block'], ['set-role', 'none'], ['set-password', '--password-stdin']]) {
      const { code, stderr } = await user(verb ?? '', 'nobody', ...rest)
      expect(code, verb).toBe(1)
      expect(stderr).toContain('"nobody"')
    }
    expect(await user('set-role', 'cleo', 'boss')).toMatchObject({ code: 2, stderr: expect.stringContaining('worker') })
    expect(await user('set-role', 'cleo')).toMatchObject({ code: 2, stderr: expect.stringContaining('worker') })
    expect((await user('add', 'eva', '--role', 'none', '--language', 'tlh', '--password-stdin')).stderr).toContain(
      'tlh',
    )
  })
})

describe('the settings of the farm', () => {
  it('have defaults and can be changed', async () => {
    const env = { FURROW_DATA: await emptyDirectory() }
    const config = (...args: string[]) => furrow(['config', ...args], { env })
    expect(await config('show')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no farm in') })
    expect((await config('set', 'language', 'en')).code).toBe(0)
    expect((await config('show')).stdout).toMatch(/name +My farm\nsystem_of_measurement +metric\nlanguage +en\n/)
    expect((await config('set', 'name', 'Hill farm')).code).toBe(0)
    expect((await config('set', 'system_of_measurement', 'us')).code).toBe(0)
    expect((await config('show')).stdout).toMatch(/name +Hill farm\nsystem_of_measurement +us\n/)
    expect(await config('set', 'system_of_measurement', 'imperial')).toMatchObject({ code: 1 })
    expect(await config('set', 'motto', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('language') })
    expect((await config('set', 'language', 'tlh')).stderr).toContain('en')
    expect(await config('set', 'name', ' ')).toMatchObject({ code: 1 })
  })
})
