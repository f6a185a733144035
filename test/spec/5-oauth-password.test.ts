import { describe, expect, test } from 'vitest'
import { addAccount, blockAccount } from '../../src/access/accounts.ts'
import { wallClock } from '../../src/clock.ts'
import { app, families, passwordRequest, stranger, token } from '../access/flow.ts'
import { furrow, serve } from '../cli/built-furrow.ts'
import { Client } from '../harness/client.ts'
import { engineUnderTest, placeWithTables } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm({ settings: { trustedProxies: ['127.0.0.1'], basicAuth: /^restws/ } })
let network = 0

/** Each test comes from an address of its own, so that failures do not add up. */
const elsewhere = () => ({ 'x-forwarded-for': `10.1.${Math.floor(++network / 250)}.${(network % 250) + 1}` })

describe.each(shareOfThisEngine(families))('spec 5.2: the password grant at %s/token', (family) => {
  const send = (parameters: Record<string, string>, headers = elsewhere()) =>
    token(farm, parameters, { family, headers })

  test('ON-68 a wrong password, an unknown and a blocked user get the same answer after the same work', async () => {
    const place = await placeWithTables(engineUnderTest())
    const own = await openFarm({ place })
    const [known, blocked] = [await stranger(own), await stranger(own)]
    await blockAccount(own.installation, blocked.name)
    await own.close()
    // Passwords are checked beside the server's thread: only in a process of its own can that work be told from others'.
    const env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '', FURROW_TRUSTED_PROXY: '127.0.0.1' }
    // The program hashes at full strength, as the hash does to which an unknown name is compared.
    for (const { name, password } of [known, blocked])
      await furrow(['user', 'set-password', name, '--password-stdin'], { env, input: `${password}\n` })
    const server = await serve([], { env })
    const cases = [
      passwordRequest(known, { password: 'wrong password' }),
      passwordRequest(known, { username: 'nobody at all' }),
      passwordRequest(blocked),
    ]
    const texts = new Set<string>()
    const work: number[] = []
    for (const request of cases) {
      const refused = async () => {
        const answer = await token({ anonymous: new Client(server.address, {}) }, request, {
          family,
          headers: elsewhere(),
        })
        expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
        texts.add(answer.text)
      }
      work.push(await leastProcessorTime(refused, { pid: server.pid }))
    }
    expect(texts.size).toBe(1)
    expect(Math.max(...work)).toBeLessThan(3 * Math.min(...work))
  })

  test('ON-70 a client that was not given the grant cannot use it', async () => {
    const someone = await stranger(farm)
    const third = await app(farm)
    const answer = await send(passwordRequest(someone, { client_id: third.id }))
    expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })

  test('ON-71 without a scope the client’s default counts, and without a default it is refused', async () => {
    const someone = await stranger(farm)
    expect((await send(passwordRequest(someone, { scope: '' }))).body.scope).toBe('user_access')
    const bare = await app(farm, { grants: ['password'], redirectUris: [] })
    const answer = await send(passwordRequest(someone, { client_id: bare.id, scope: '' }))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  test('a scope that an account without a role cannot have is left out, and where nothing is left it is refused', async () => {
    const nobody = await stranger(farm, null)
    const some = await send(passwordRequest(nobody, { scope: 'farm_manager user_access farm_info' }))
    expect(some.body.scope).toBe('user_access')
    for (const scope of ['farm_manager', 'farm_viewer', 'farm_info', 'farm_manager farm_info']) {
      const answer = await send(passwordRequest(nobody, { scope }))
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    }
    expect((await send(passwordRequest(nobody))).body.scope).toBe('user_access')
  })

  test.each(['viewer', 'worker', 'manager'] as const)(
    'a role scope is given to a %s by its name, in the order asked',
    async (role) => {
      const someone = await stranger(farm, role)
      for (const scope of ['farm_manager', 'farm_viewer farm_manager', 'farm_manager user_access']) {
        expect(await send(passwordRequest(someone, { scope }))).toMatchObject({ status: 200, body: { scope } })
      }
    },
  )

  test.each([
    ['marks', 'a:b & c % d + é 🌾'],
    ['64 bytes', 'x'.repeat(64)],
    ['1,024 bytes', 'é'.repeat(512)],
  ])('ON-72 a password of %s works as it is', async (kind, password) => {
    const name = `seventy-two ${kind} ${family}`
    await addAccount(farm.installation, { name, password, role: 'viewer' })
    const request = { grant_type: 'password', client_id: 'farm', username: name, password, scope: 'user_access' }
    expect(await send(request)).toMatchObject({ status: 200 })
    expect(await send({ ...request, password: `${password.slice(0, -1)}?` })).toMatchObject({ status: 400 })
  })

  test('ON-72 a password of 5 KB is refused without being checked', async () => {
    const someone = await stranger(farm)
    const answer = await send(passwordRequest(someone, { password: 'x'.repeat(5000) }))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('ON-73 a user name has one form: composition, case and outer space do not matter, look-alikes do', async () => {
    const name = `Zoë ${family}`
    const password = 'the password of Zoë'
    const { uid } = await addAccount(farm.installation, { name, password, role: 'viewer' })
    const spellings = [name.normalize('NFD'), name.toUpperCase(), ` ${name} `, name.toLowerCase()]
    for (const username of spellings) {
      const { body } = await send(passwordRequest({ name: username, password }))
      const me = await farm.anonymous.get('/farm.json', { authorization: `Bearer ${body.access_token}` })
      expect(me.body.user.uid).toBe(String(uid))
      await expect(addAccount(farm.installation, { name: username, password, role: 'viewer' })).rejects.toMatchObject({
        refusal: 'conflict',
      })
    }
    for (const username of [name.replace('o', 'ο'), name.replace('o', '\u200bo')]) {
      expect(await send(passwordRequest({ name: username, password }))).toMatchObject({ status: 400 })
    }
  })

  test('the mail address of one account works in place of its name', async () => {
    const mail = `mail${family.length}@farm.example`
    await addAccount(farm.installation, {
      name: `by mail ${family}`,
      password: 'a long password',
      role: 'viewer',
      mail,
    })
    const request = { grant_type: 'password', client_id: 'farm', password: 'a long password' }
    expect(await send({ ...request, username: mail.toUpperCase() })).toMatchObject({ status: 200 })
  })
})

test('ON-70 switched off, it is refused to every client', async () => {
  const strict = await openFarm({ settings: { passwordGrant: false } })
  const someone = await stranger(strict)
  const answer = await token(strict, passwordRequest(someone))
  expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  const { body } = await strict.anonymous.get('/.well-known/oauth-authorization-server')
  expect(body.grant_types_supported).not.toContain('password')
})

describe('ON-69 failed logins', () => {
  const right = (someone: { name: string; password: string }, from: Record<string, string>, family = '/oauth') =>
    token(farm, passwordRequest(someone), { family, headers: from })
  const wrong = (name: string, from: Record<string, string>, family = '/oauth') =>
    token(
      farm,
      { grant_type: 'password', client_id: 'farm', username: name, password: 'wrong' },
      { family, headers: from },
    )
  const wrongForm = (name: string, from: Record<string, string>) =>
    farm.anonymous.send('POST', '/user/login', { headers: from, body: new URLSearchParams({ name, pass: 'wrong' }) })
  const wrongBasic = (name: string, from: Record<string, string>) =>
    farm.anonymous.get('/farm.json', {
      ...from,
      authorization: `Basic ${Buffer.from(`${name}:wrong`).toString('base64')}`,
    })

  test('ten in a row over all doors are followed by 429, from there only, for a minute and then longer', async () => {
    const now = wallClock()
    farm.setClock(now)
    const name = 'restws-ada'
    const password = 'the right password'
    await addAccount(farm.installation, { name, password, role: 'viewer' })
    const here = elsewhere()
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await wrong(name, here)).status).toBe(400)
      expect((await wrongForm(name, here)).status).toBe(200)
      expect((await wrongBasic(name, here)).status).toBe(403)
    }
    expect((await wrong(name, here, '/oauth2')).status).toBe(400)
    const blocked = await right({ name, password }, here)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('retry-after'))).toBe(60)
    expect((await wrongForm(name, here)).status).toBe(429)
    expect((await wrongBasic(name, here)).status).toBe(429)
    expect((await right({ name, password }, elsewhere())).status).toBe(200)

    farm.setClock(now + 60)
    expect((await wrong(name, here)).status).toBe(400)
    expect(Number((await wrong(name, here)).headers.get('retry-after'))).toBe(120)
    let time = now + 60
    for (const wait of [120, 240, 480, 900]) {
      time += wait
      farm.setClock(time - 1)
      expect((await wrong(name, here)).status).toBe(429)
      farm.setClock(time)
      expect((await wrong(name, here)).status).toBe(400)
    }
    farm.setClock(time + 899)
    expect((await right({ name, password }, here)).status).toBe(429)
    farm.setClock(time + 900)
    expect((await right({ name, password }, here)).status).toBe(200)
    for (let attempt = 0; attempt < 10; attempt++) expect((await wrong(name, here)).status).toBe(400)
    expect((await wrong(name, here)).status).toBe(429)
    farm.setClock(null)
  })

  test('a success in between begins the count again', async () => {
    const someone = await stranger(farm)
    const here = elsewhere()
    for (let attempt = 0; attempt < 9; attempt++) await wrong(someone.name, here)
    expect((await right(someone, here)).status).toBe(200)
    for (let attempt = 0; attempt < 9; attempt++) await wrong(someone.name, here)
    expect((await right(someone, here)).status).toBe(200)
  })

  test('a burst does not get more attempts than ten', async () => {
    const someone = await stranger(farm)
    const here = elsewhere()
    const answers = await Promise.all(Array.from({ length: 30 }, () => wrong(someone.name, here)))
    expect(answers.filter(({ status }) => status === 400).length).toBe(10)
    expect(answers.filter(({ status }) => status === 429).length).toBe(20)
  })

  test('sixteen right logins at once all succeed', async () => {
    const someone = await stranger(farm)
    const here = elsewhere()
    const answers = await Promise.all(Array.from({ length: 16 }, () => right(someone, here)))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
  })

  test('a hundred in an hour from one network are followed by 429 for any name; an IPv6 network is a /64', async () => {
    const now = wallClock()
    farm.setClock(now)
    const at = (host: number) => ({ 'x-forwarded-for': `2001:db8:0:7::${host.toString(16)}` })
    for (let attempt = 0; attempt < 100; attempt += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, each) => wrong(`guess ${attempt + each}`, at(attempt + each + 1))),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400))
    }
    const someone = await stranger(farm)
    expect((await right(someone, at(500))).status).toBe(429)
    expect((await right(someone, { 'x-forwarded-for': '2001:db8:0:8::1' })).status).toBe(200)
    farm.setClock(now + 3600)
    expect((await right(someone, at(500))).status).toBe(200)
    farm.setClock(null)
  })

  test('a forwarded header from a neighbour that is no trusted proxy dodges nothing', async () => {
    const open = await openFarm()
    const someone = await stranger(open)
    const attempt = (at: number) =>
      token(open, passwordRequest(someone, { password: 'wrong' }), { headers: { 'x-forwarded-for': `10.9.8.${at}` } })
    for (let at = 0; at < 10; at++) expect((await attempt(at)).status).toBe(400)
    expect((await attempt(11)).status).toBe(429)
  })

  test('the limit survives a restart', async () => {
    const before = await openFarm()
    const someone = await stranger(before)
    const attempt = () => token(before, passwordRequest(someone, { password: 'wrong' }))
    for (let at = 0; at < 10; at++) await attempt()
    await before.close()
    const { data, database } = before.installation.settings
    const after = await openFarm({ place: { data, database } })
    expect((await token(after, passwordRequest(someone))).status).toBe(429)
  })
})
