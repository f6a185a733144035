import { beforeAll, describe, expect, it } from 'vitest'
import { emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { furrow, type RunningServer, serve } from './built-furrow.ts'

describe.each(atLeastOn('postgres'))('furrow events beside a running server on %s', (engine) => {
  let server: RunningServer
  let env: Record<string, string>

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
    server = await serve([], { env })
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: 'green fields 42' })
    for (const username of ['ada', 'nobody']) {
      const body = { grant_type: 'password', client_id: 'farm', username, password: 'wrong' }
      await fetch(`${server.address}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
    }
  })

  const events = (...args: string[]) => furrow(['events', ...args], { env })

  it('lists what happened, newest first', async () => {
    const { code, stdout } = await events()
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^TIME +KIND +USER +CLIENT +ADDRESS +BY$/),
      expect.stringMatching(/^20\d\d-\S+Z +login-failed +- +farm +127\.0\.0\.1 +-$/),
      expect.stringMatching(/^20\d\d-\S+Z +login-failed +ada +farm +127\.0\.0\.1 +-$/),
      expect.stringMatching(/^20\d\d-\S+Z +account-added +ada +- +- +-$/),
      '',
    ])
  })

  it('can be asked for a kind, a time and a number of them, and for JSON', async () => {
    const listed = async (...args: string[]) => JSON.parse((await events('--json', ...args)).stdout)
    expect(await listed('--limit', '1')).toEqual([
      {
        time: expect.any(String),
        kind: 'login-failed',
        uid: null,
        user: null,
        client: 'farm',
        address: '127.0.0.1',
        actor: null,
        by: null,
      },
    ])
    expect(await listed('--kind', 'account-added', '--kind', 'logged-in')).toMatchObject([
      { kind: 'account-added', user: 'ada', client: null, address: null },
    ])
    for (const since of ['1h', '30m', '7d', '2026-01-01', '2026-01-01T08:00Z', '2026-01-01T08:00:00+01:00'])
      expect(await listed('--since', since), since).toHaveLength(3)
    for (const since of ['0m', '9998-01-01']) expect((await listed('--since', since)).length, since).toBeLessThan(3)
  })

  it.each([
    [['--kind', 'login'], '--kind "login"'],
    [['--since', 'yesterday'], '--since "yesterday"'],
    [['--since', '2026-13-01'], '--since "2026-13-01"'],
    [['--limit', '0'], '--limit "0"'],
  ])('refuses %j and says what is allowed', async (args, words) => {
    const { code, stderr } = await events(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})
