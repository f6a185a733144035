import { describe, expect, test } from 'vitest'
import { accountsByIds, setPassword } from '../../src/access/accounts.ts'
import type { Credentials } from '../../src/access/credentials.ts'
import { changeOwnAccount, type OwnAccountChange } from '../../src/access/own-account.ts'
import { identify } from '../../src/doors/http/caller.ts'
import { type Person, passwordRequest, person, statusWith, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()

/** As a door asks, with a token of this scope. */
async function changing(someone: Person, scope = 'user_access') {
  const { body } = await token(farm, passwordRequest(someone, { scope }))
  const credentials: Credentials = {
    authorization: `Bearer ${body.access_token}`,
    cookie: undefined,
    csrfToken: undefined,
    method: 'PATCH',
    agent: '',
    address: `10.3.0.${someone.uid}`,
    loginFailed: () => {},
  }
  const caller = await identify(farm.installation, credentials)
  const change = (given: OwnAccountChange) => changeOwnAccount(farm.installation, { caller, ...credentials }, given)
  return { change, accessToken: body.access_token as string }
}

const kept = async ({ uid }: Person) =>
  (await farm.installation.database.read((snapshot) => accountsByIds(snapshot, [uid]))).get(uid)

const refused = (field: string) => ({ refusal: 'invalid-content', details: { faults: [{ field }] } })

describe('one’s own account', () => {
  test.each(shareOfThisEngine(['farm_viewer', 'farm_manager']))(
    'a token of %s changes time zone and language, and reads them back',
    async (scope) => {
      const someone = await stranger(farm, 'viewer')
      expect(await kept(someone)).toMatchObject({ timezone: 'UTC', language: 'en' })
      const { change } = await changing(someone, scope)
      await change({ timezone: 'America/New_York', language: 'en' })
      expect(await kept(someone)).toMatchObject({ timezone: 'America/New_York', language: 'en' })
    },
  )

  test('name, mail address and password take a token that may manage the account', async () => {
    const someone = await stranger(farm, 'manager')
    const { change } = await changing(someone, 'farm_manager')
    const before = await kept(someone)
    const existingPassword = someone.password
    for (const given of [{ name: 'Another' }, { mail: 'a@b.example' }, { password: 'a new password' }])
      await expect(change({ ...given, timezone: 'Asia/Tokyo', existingPassword })).rejects.toMatchObject({
        refusal: 'forbidden',
      })
    expect(await kept(someone)).toEqual(before)
  })

  test('sent back as it is, it changes nothing and takes no further right', async () => {
    const someone = await stranger(farm, 'viewer')
    const { change } = await changing(someone, 'farm_viewer')
    const before = await kept(someone)
    const { name = '', mail = '', language = '', timezone = '' } = before ?? {}
    await change({ name, mail, language, timezone })
    await change({ name: ` ${name} ` })
    expect(await kept(someone)).toEqual(before)
    const events = await farm.installation.database.read((tables) =>
      tables.selectFrom('access_event').select('event').where('uid', '=', someone.uid).execute(),
    )
    expect(events.map(({ event }) => event)).not.toContain('account-changed')
  })

  test('a new name is the one to log in with, and is nobody else’s', async () => {
    const [someone, other] = [await stranger(farm), await stranger(farm)]
    const { change, accessToken } = await changing(someone)
    await expect(change({ name: other.name.toUpperCase(), timezone: 'Asia/Tokyo' })).rejects.toMatchObject({
      refusal: 'conflict',
    })
    expect(await kept(someone)).toMatchObject({ name: someone.name, timezone: 'UTC' })
    await change({ name: 'Grace Hopper' })
    const renamed = { ...someone, name: 'grace hopper' }
    expect((await token(farm, passwordRequest(renamed))).status).toBe(200)
    expect((await token(farm, passwordRequest(someone))).status).toBe(400)
    const authorization = `Bearer ${accessToken}`
    const { body } = await farm.anonymous.get(`/user/${someone.uid}.json`, { authorization })
    expect(body.name).toBe('Grace Hopper')
  })

  test('another mail address takes the present password', async () => {
    const someone = await stranger(farm)
    const { change } = await changing(someone)
    const mail = 'grace@farm.example'
    for (const existingPassword of ['', 'wrong'])
      await expect(change({ mail, existingPassword })).rejects.toMatchObject(refused('existingPassword'))
    await change({ mail, existingPassword: someone.password })
    expect(await kept(someone)).toMatchObject({ mail })
    expect((await token(farm, passwordRequest({ ...someone, name: mail }))).status).toBe(200)
  })

  test('another password takes the present one, and ends every session and token', async () => {
    const someone = await person(farm)
    const { change, accessToken } = await changing(someone)
    const password = 'a new password'
    await expect(change({ password })).rejects.toMatchObject(refused('existingPassword'))
    expect(await statusWith(farm, accessToken)).toBe(200)
    await change({ password, existingPassword: someone.password })
    expect(await statusWith(farm, accessToken)).toBe(401)
    expect(await someone.browser.get('/log.json')).toMatchObject({ status: 403 })
    expect((await token(farm, passwordRequest({ ...someone, password }))).status).toBe(200)
    expect((await token(farm, passwordRequest(someone))).status).toBe(400)
  })

  test('wrong passwords count as failed logins', async () => {
    const someone = await stranger(farm)
    const { change } = await changing(someone)
    const attempt = () => change({ mail: 'x@y.example', existingPassword: 'wrong' })
    for (let nth = 0; nth < 10; nth++) await expect(attempt()).rejects.toMatchObject(refused('existingPassword'))
    await expect(attempt()).rejects.toMatchObject({ refusal: 'too-many-requests' })
  })

  test('every fault is named at once, and nothing of it is kept', async () => {
    const someone = await stranger(farm)
    const { change } = await changing(someone)
    const before = await kept(someone)
    const given = { name: 'a:b', mail: 'nowhere', language: 'xx', timezone: 'Mars/Olympus', password: 'short' }
    await expect(change({ ...given, existingPassword: someone.password })).rejects.toMatchObject({
      refusal: 'invalid-content',
      details: { faults: Object.keys(given).map((field) => ({ field })) },
    })
    expect(await kept(someone)).toEqual(before)
  })

  test.each(
    shareOfThisEngine([
      '',
      '+01:00',
      'UTC+1',
      'Europe',
      '../etc/passwd',
      'x'.repeat(10_000),
      'Europe/Berlin\0',
      'İstanbul',
    ]),
  )('%j is no time zone', async (timezone) => {
    const { change } = await changing(await stranger(farm, 'viewer'), 'farm_viewer')
    await expect(change({ timezone })).rejects.toMatchObject(refused('timezone'))
  })

  test('is not changed by whoever was given another password meanwhile', async () => {
    const someone = await stranger(farm)
    const { change } = await changing(someone)
    await setPassword(farm.installation, { name: someone.name, password: 'another password' })
    await expect(change({ mail: 'x@y.example', existingPassword: someone.password })).rejects.toMatchObject(
      refused('existingPassword'),
    )
  })
})
