import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { listEvents } from '../../src/access/events.ts'
import { person } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const { browser, uid } = await person(farm)
const token = (await browser.get('/restws/session/token')).text
const headers = { cookie: browser.cookie, 'x-csrf-token': token, 'content-type': 'application/json' }

const change = (content: unknown, host?: string) =>
  farm.anonymous.send('PUT', '/administer/settings.json', {
    headers: host === undefined ? headers : { ...headers, host },
    body: JSON.stringify(content),
  })
const settings = async () => (await farm.anonymous.get('/administer/settings.json', headers)).body
const faultsOf = async (content: unknown) => {
  const { status, body } = await change(content)
  expect(status).toBe(422)
  return body.errors.map(({ field }: { field: string }) => field)
}

const layer = { name: 'Aerial', url: 'https://tiles.example/{z}/{x}/{y}.jpg', credit: '© Example', max_zoom: 18 }

describe('the settings of a farm', () => {
  test('are told, with what whoever runs the farm wants to know', async () => {
    expect(await settings()).toMatchObject({
      settings: { name: 'My farm', system_of_measurement: 'metric', languages: [], trash_days: 90, map_layers: [] },
      last_backup: null,
      event_days: 90,
      addresses: [],
    })
  })

  test('are changed in part, and seen everywhere', async () => {
    const given = { name: 'Green Acres', timezone: 'Europe/Berlin', languages: ['de', 'es'], map_layers: [layer] }
    const { status, body } = await change(given)
    expect([status, body.settings]).toMatchObject([
      200,
      { ...given, system_of_measurement: 'metric', language: 'en', trash_days: 90 },
    ])
    const { body: me } = await farm.anonymous.get('/me.json', headers)
    expect(me.farm).toMatchObject({ name: 'Green Acres', timezone: 'Europe/Berlin', languages: ['en', 'de', 'es'] })
    expect(me.map_layers).toEqual([layer])
    expect(Object.keys((await farm.anonymous.get('/farm.json', headers)).body.languages)).toEqual(['en', 'de', 'es'])
    const [event] = await listEvents(farm.installation, { kinds: ['settings-changed'], since: 0, most: 10 })
    expect(event).toMatchObject({ uid })
  })

  test('have the head of papers, and by how much days of withholding are multiplied', async () => {
    const papers = {
      holding_numbers: 'Cattle: DE 09 1\nSheep: DE 09 2',
      certifier: 'ABCERT',
      withholding_factor: 2,
      tag_days: 20,
    }
    const { status, body } = await change(papers)
    expect([status, body.settings]).toMatchObject([200, { ...papers, withholding_factor: '2', tag_days: '20' }])
    const wrong = { withholding_factor: '0', certifier: 'two\nlines', paper_address: 'x'.repeat(1001) }
    const { body: refused } = await change(wrong)
    expect(refused.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(wrong))
  })

  test('are left as they are where anything is wrong, and every fault is named', async () => {
    const before = await settings()
    const wrong = {
      name: ' ',
      trash_days: -1,
      timezone: 'Mars/Olympus',
      language: 'xx',
      languages: ['tlh'],
      colour: 'green',
      system_of_measurement: ['us'],
      map_layers: [layer, { ...layer, url: 'https://tiles.example/1.jpg', max_zoom: 99 }],
    }
    expect(await faultsOf(wrong)).toEqual([
      'name',
      'trash_days',
      'timezone',
      'language',
      'languages',
      'colour',
      'system_of_measurement',
      'map_layers[1].url',
      'map_layers[1].max_zoom',
    ])
    expect(await faultsOf({ name: 'Other', map_layers: [layer, layer, layer, layer] })).toEqual(['map_layers'])
    const turned = { name: 'Green\u202eAcres', map_layers: [{ ...layer, name: 'A\u2066', credit: '\u2028' }] }
    expect(await faultsOf(turned)).toEqual(['name', 'map_layers[0].name', 'map_layers[0].credit'])
    expect(await settings()).toEqual(before)
    for (const body of ['[]', '"name"', '{', ''])
      expect((await farm.anonymous.send('PUT', '/administer/settings.json', { headers, body })).status).toBe(400)
  })

  test('say nothing was changed where nothing was', async () => {
    const count = async () =>
      (await listEvents(farm.installation, { kinds: ['settings-changed'], since: 0, most: 99 })).length
    const before = await count()
    expect((await change({ name: 'Green Acres' })).status).toBe(200)
    expect(await count()).toBe(before)
  })
})

describe('a layer under the map', () => {
  const inward = [
    'http://127.0.0.1:9/{z}/{x}/{y}',
    'https://10.1.2.3/{z}/{x}/{y}',
    'https://router/{z}/{x}/{y}',
    'https://nas.local/{z}/{x}/{y}',
    'https://[fe80::1]/{z}/{x}/{y}',
    'https://172.20.0.1/{z}/{x}/{y}',
    'https://localhost/{z}/{x}/{y}',
  ]

  test('may lie in the network of a farm that is in it, too', async () => {
    for (const url of inward)
      expect([url, (await change({ map_layers: [{ ...layer, url }] })).status]).toEqual([url, 200])
  })

  test('does not make browsers ask inwards for a farm on the internet, nor over http for one on https', async () => {
    const open = await openFarm({ settings: { baseUrl: 'https://farm.example' } })
    const manager = await person(open)
    const own = {
      cookie: manager.browser.cookie,
      'x-csrf-token': (await manager.browser.get('/restws/session/token')).text,
      'content-type': 'application/json',
    }
    const send = (url: string) =>
      open.anonymous.send('PUT', '/administer/settings.json', {
        headers: own,
        body: JSON.stringify({ map_layers: [{ ...layer, url }] }),
      })
    for (const url of [...inward, 'http://tiles.example/{z}/{x}/{y}.png']) {
      const { status, body } = await send(url)
      expect([url, status, body.errors[0].field]).toEqual([url, 422, 'map_layers[0].url'])
    }
    expect((await send(layer.url)).status).toBe(200)
  })
})

describe('links that are handed to people', () => {
  const linkTo = async (path: string, sent: object, { on = farm, also = {} } = {}) => {
    const { browser } = await person(on)
    const token = (await browser.get('/restws/session/token')).text
    const own = { cookie: browser.cookie, 'x-csrf-token': token, 'content-type': 'application/json', ...also }
    const made = await on.anonymous.send('POST', path, { headers: own, body: JSON.stringify(sent) })
    const { addresses } = (await on.anonymous.get('/administer/settings.json', own)).body
    return { link: new URL(made.body.link).origin, addresses }
  }
  const paths = async (on: typeof farm): Promise<readonly (readonly [string, object])[]> => [
    ['/administer/invitations.json', { role: 'worker' }],
    [`/administer/people/${(await person(on)).uid}/password-link`, {}],
    ['/administer/report-links.json', { report: 'harvest' }],
  ]

  test('begin with the address that phones are offered, also where the manager came by loopback', async () => {
    const open = await openFarm({ settings: { host: '0.0.0.0' } })
    const { port } = new URL(open.base)
    const own = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'))
      .map(({ address }) => `http://${address}:${port}`)
    for (const [path, sent] of await paths(open)) {
      const { link, addresses } = await linkTo(path, sent, { on: open })
      expect([path, addresses, link]).toEqual([path, own, own[0] ?? open.base])
    }
  })

  test('begin with the public address where it is set, and else with the name that the manager came by', async () => {
    const set = await openFarm({ settings: { host: '0.0.0.0', baseUrl: 'https://farm.example' } })
    const behind = await openFarm({ settings: { trustedProxies: ['127.0.0.1'] } })
    const also = { 'x-forwarded-host': 'farm.lan:8443' }
    for (const [path, sent] of await paths(set))
      expect((await linkTo(path, sent, { on: set })).link).toBe('https://farm.example')
    for (const [path, sent] of await paths(behind)) {
      const made = await linkTo(path, sent, { on: behind, also })
      expect([made.link, made.addresses]).toEqual(['http://farm.lan:8443', ['http://farm.lan:8443']])
    }
  })

  test('begin with loopback where nothing else is known', async () => {
    for (const [path, sent] of await paths(farm)) expect((await linkTo(path, sent)).link).toBe(farm.base)
  })
})
