import { describe, expect, test } from 'vitest'
import { rightsOf } from '../../src/access/caller.ts'
import { roleNames } from '../../src/farm/people/roles.ts'
import { openRecords } from '../../src/records/records.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { version } from '../../src/version.ts'
import { person } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()

describe('/me.json', () => {
  test('tells who is asking, what they may do, and of which farm', async () => {
    farm.setClock(1_800_000_000)
    const manager = await farm.login()
    const changes = await manager.read('/changes')
    const { status, headers, body } = await manager.get('/me.json')
    farm.setClock(null)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      account: { id: expect.stringMatching(/^\d+$/), name: manager.login.name, role: 'manager', language: 'en' },
      rights: expect.arrayContaining(['read-records', 'write-records', 'configure']),
      csrf_token: null,
      farm: {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'My farm',
        system_of_measurement: 'metric',
        withholding_factor: '1',
        tag_days: '7',
        timezone: 'UTC',
        language: 'en',
        languages: ['en'],
      },
      map_layers: [],
      trial: null,
      time: '1800000000',
      edition: changes.edition,
      catalogue: changes.catalogue,
      version,
    })
  })

  test.each([...roleNames, null])('tells the rights of a %s as they are judged', async (role) => {
    const { body } = await (await person(farm, role)).browser.get('/me.json')
    expect(body.account.role).toBe(role)
    expect(new Set(body.rights)).toEqual(rightsOf({ role, isService: false }, null))
  })

  test('gives a session the token that its changes need', async () => {
    const ada = await person(farm)
    const { body } = await ada.browser.get('/me.json')
    expect(body.csrf_token).toBe((await ada.browser.get('/session/token')).text)
  })

  test('has nothing for nobody', async () => {
    const { status, body } = await farm.anonymous.get('/me.json')
    expect([status, body.type]).toEqual([403, 'urn:furrow:refusal:unauthenticated'])
  })
})

const aerial = { name: 'Aerial', url: 'https://tiles.example/{z}/{x}/{y}.jpg?key=1', credit: '© Example', max_zoom: 19 }
const street = { name: 'Street', url: 'http://map.lan:8080/{z}/{x}/{y}.png', credit: '', max_zoom: 18 }

describe('layers of the map', () => {
  const set = (value: unknown, at = farm) =>
    at.installation.database.write((tx) =>
      writeFarmSetting(tx, 'map_layers', typeof value === 'string' ? value : JSON.stringify(value)),
    )
  const policyAt = async (at: typeof farm) =>
    (await at.anonymous.get('/app/')).headers.get('content-security-policy') ?? ''

  test('are told to those who may read, and their origins may be asked for pictures', async () => {
    await set([aerial, street])
    const viewer = await farm.login('viewer')
    expect((await viewer.read('/me.json')).map_layers).toEqual([aerial, street])
    expect((await (await farm.login(null)).read('/me.json')).map_layers).toEqual([])
    expect(await policyAt(farm)).toContain(
      "img-src 'self' blob: https://tiles.example http://map.lan:8080; connect-src 'self';",
    )
    await set('')
    expect(await policyAt(farm)).toContain("img-src 'self' blob:;")
  })

  test('change the worker, which keeps the page with its policy', async () => {
    const before = await farm.anonymous.get('/app/sw.js')
    await set([aerial])
    const after = await farm.anonymous.get('/app/sw.js', { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(after.status).toBe(200)
    expect(after.text).not.toBe(before.text)
    await set('')
    const back = await farm.anonymous.get('/app/sw.js', { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(back.status).toBe(304)
  })

  test('over http are left out where the farm is reached over https', async () => {
    const safe = await openFarm({ settings: { baseUrl: 'https://farm.example' } })
    await set([aerial, street], safe)
    expect((await (await safe.login()).read('/me.json')).map_layers).toEqual([aerial])
    expect(await policyAt(safe)).toContain("img-src 'self' blob: https://tiles.example;")
  })

  test.each([
    ['no list', aerial],
    ['four', [aerial, aerial, aerial, aerial]],
    ['without a name', [{ ...aerial, name: ' ' }]],
    ['no place for x', [{ ...aerial, url: 'https://tiles.example/{z}/{y}' }]],
    ['a host to fill in', [{ ...aerial, url: 'https://{s}.tiles.example/{z}/{x}/{y}' }]],
    ['a policy of its own', [{ ...aerial, url: "https://tiles.example; script-src 'unsafe-inline'/{z}/{x}/{y}" }]],
    ['another scheme', [{ ...aerial, url: 'data:image/png,{z}{x}{y}' }]],
    ['a password', [{ ...aerial, url: 'https://a:b@tiles.example/{z}/{x}/{y}' }]],
    ['too deep', [{ ...aerial, max_zoom: 40 }]],
    ['half a level', [{ ...aerial, max_zoom: 1.5 }]],
    ['unknown words', [{ ...aerial, script: 'x' }]],
    ['no JSON', '[{'],
  ])('are refused: %s', async (_why, layers) => {
    await expect(set(layers)).rejects.toThrow('map_layers takes a JSON list of at most 3 layers')
  })
})

test('a farm keeps its UUID when it is opened again', async () => {
  const manager = await farm.login()
  const { uuid } = (await manager.read('/me.json')).farm
  await openRecords(farm.installation)
  expect((await manager.read('/me.json')).farm.uuid).toBe(uuid)
})
