import { describe, expect, test } from 'vitest'
import { addAccount, blockAccount, setPassword } from '../../src/access/accounts.ts'
import { wallClock } from '../../src/clock.ts'
import { Browser } from '../access/browser.ts'
import { basic } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const password = 'a robot’s password: 1'
const farm = await openFarm({ settings: { basicAuth: /^restws/ } })
await addAccount(farm.installation, { name: 'restws-robot', password, role: 'worker' })
await addAccount(farm.installation, { name: 'ada', password, role: 'manager', mail: 'restws@farm.example' })

const log = JSON.stringify({ name: 'Weeding', type: 'farm_activity', timestamp: 1_700_000_000 })
const write = (headers: Record<string, string>) =>
  farm.anonymous.send('POST', '/log', { headers: { 'content-type': 'application/json', ...headers }, body: log })

describe('spec 5.1: HTTP Basic', () => {
  test('is off unless it is switched on', async () => {
    const plain = await openFarm()
    await addAccount(plain.installation, { name: 'restws-robot', password, role: 'worker' })
    const answer = await plain.anonymous.get('/log.json', { authorization: basic('restws-robot', password) })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
  })

  test('admits the names that the pattern admits, and by no trick another', async () => {
    expect(await farm.anonymous.get('/log.json', { authorization: basic('restws-robot', password) })).toMatchObject({
      status: 200,
    })
    for (const name of ['ada', 'Ada', 'restws', 'restws@farm.example', 'x restws-robot', 'restws-nobody']) {
      expect(await farm.anonymous.get('/log.json', { authorization: basic(name, password) })).toMatchObject({
        status: 403,
      })
    }
    expect(await farm.anonymous.get('/log.json', { authorization: basic('restws-robot', 'wrong') })).toMatchObject({
      status: 403,
    })
  })

  test('writes need no CSRF token while the header is sent, also beside a cookie', async () => {
    const authorization = basic('restws-robot', password)
    const first = await write({ authorization })
    expect(first.status).toBe(201)
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(await write({ authorization, cookie })).toMatchObject({ status: 201 })
  })

  test('gives an ordinary session: without the header the cookie reads, and writes only with its CSRF token', async () => {
    const robot = new Browser(farm)
    await robot.get('/log.json', { authorization: basic('restws-robot', password) })
    const { cookie } = robot
    expect(cookie).toMatch(/^furrow_session=/)
    expect(await robot.get('/log.json')).toMatchObject({ status: 200 })
    expect(await write({ cookie })).toMatchObject({ status: 403 })
    const { text } = await robot.get('/restws/session/token')
    expect(await write({ cookie, 'x-csrf-token': text })).toMatchObject({ status: 201 })
    const again = await robot.get('/log.json', { authorization: basic('restws-robot', password) })
    expect(again.headers.get('set-cookie')).toBeNull()
  })

  test('header and cookie together: the header decides', async () => {
    const ada = new Browser(farm)
    await ada.logIn('ada', password)
    const { cookie } = ada
    expect(
      await farm.anonymous.get('/log.json', { cookie, authorization: basic('restws-robot', 'wrong') }),
    ).toMatchObject({ status: 403 })
    const answer = await farm.anonymous.get('/api', { cookie, authorization: basic('restws-robot', password) })
    const robot = await farm.anonymous.get('/api', { authorization: basic('restws-robot', password) })
    expect(answer.body.meta.links.me).toEqual(robot.body.meta.links.me)
  })

  test('a remembered login ends with the password, the account, and after a minute', async () => {
    const now = wallClock()
    farm.setClock(now)
    const name = 'restws-short'
    const { uid } = await addAccount(farm.installation, { name, password, role: 'viewer' })
    const authorization = basic(name, password)
    const status = async () => (await farm.anonymous.get('/log.json', { authorization })).status
    const sessions = () =>
      farm.installation.database.read((snapshot) =>
        snapshot.selectFrom('session').select('hash').where('uid', '=', uid).execute(),
      )
    expect([await status(), await status(), (await sessions()).length]).toEqual([200, 200, 1])
    farm.setClock(now + 60)
    expect([await status(), (await sessions()).length]).toEqual([200, 1])
    await setPassword(farm.installation, { name, password: 'another password' })
    expect(await status()).toBe(403)
    const after = basic(name, 'another password')
    expect(await farm.anonymous.get('/log.json', { authorization: after })).toMatchObject({ status: 200 })
    await blockAccount(farm.installation, name)
    expect(await farm.anonymous.get('/log.json', { authorization: after })).toMatchObject({ status: 403 })
    farm.setClock(null)
  })

  test.each(['Basic', 'Basic !!!', `Basic ${Buffer.from('restws-robot').toString('base64')}`, 'Basic /////w=='])(
    'nonsense is refused: %s',
    async (authorization) => {
      expect([400, 403]).toContain((await farm.anonymous.get('/log.json', { authorization })).status)
    },
  )
})
