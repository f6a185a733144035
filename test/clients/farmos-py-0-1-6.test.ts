import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { CookieJar } from './cookie-jar.ts'

const asPython = { 'user-agent': 'python-requests/2.22.0', accept: '*/*', 'accept-encoding': 'gzip, deflate' }

/** The number that the client reads out of each link of a list. */
const pageIn = (link: string): number => Number(new URL(link).searchParams.getAll('page')[0])

describe.each(atLeastOn('postgres'))('what farmOS.py 0.1.6 sends on %s', (engine) => {
  let farm: FarmUnderTest
  let login: { readonly name: string; readonly password: string }

  beforeAll(async () => {
    farm = await openFarm({ engine })
    login = (await farm.login('manager')).login
  })

  describe('with a session', () => {
    let jar: CookieJar
    let csrf: string
    const ask = async (path: string): Promise<Json> => {
      const answer = await jar.send('GET', `/${path}`, { headers: { ...asPython, 'x-csrf-token': csrf } })
      expect(answer.status, path).toBe(200)
      return answer.json()
    }
    const tell = (method: string, path: string, payload: unknown) =>
      jar.send(method, `/${path}`, {
        headers: { ...asPython, 'x-csrf-token': csrf, 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      })

    beforeAll(async () => {
      jar = new CookieJar(farm.base)
      const form = () => ({
        headers: { ...asPython, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ name: login.name, pass: login.password, form_id: 'user_login' }).toString(),
      })
      const redirect = await jar.send('POST', '/user/login', form())
      expect(redirect.status).toBe(302)
      const again = await jar.follow('POST', redirect.headers.get('location') ?? '', form())
      expect(again.status).toBe(200)
      const token = await jar.send('GET', '/restws/session/token', { headers: asPython })
      expect(token.headers.get('content-type')).toMatch(/^text\/plain/)
      csrf = await token.text()
      expect(csrf).toMatch(/^[\w-]{20,}$/)
    })

    it('knows that it is logged in', async () => {
      expect(await ask('farm.json')).toMatchObject({ user: { name: login.name } })
    })

    it('creates, updates, reads and deletes a log', async () => {
      const made = await tell('POST', 'log', { name: 'Test Log', type: 'farm_observation', timestamp: 1_580_000_000 })
      expect(made.status).toBe(201)
      const { id, uri, resource } = (await made.json()) as Json
      expect([uri, resource]).toEqual([`${farm.base}/log/${id}`, 'log'])
      // The client takes the id out of the payload and puts it into the address.
      expect((await tell('PUT', `log/${id}`, { name: 'Updated Log Name' })).status).toBe(200)
      expect(await ask(`log/${id}.json`)).toMatchObject({ id, name: 'Updated Log Name', type: 'farm_observation' })
      const gone = await jar.send('DELETE', `/log/${id}`, { headers: { ...asPython, 'x-csrf-token': csrf } })
      expect(gone.status).toBe(200)
    })

    it('is refused a write without its token', async () => {
      const body = JSON.stringify({ name: 'Forged', type: 'farm_activity', timestamp: 1 })
      const headers = { ...asPython, 'content-type': 'application/json' }
      expect((await jar.send('POST', '/log', { headers, body })).status).toBe(403)
    })

    it('reads all pages, taking their numbers out of the links', async () => {
      for (let number = 1; number <= 101; number += 1) {
        await tell('POST', 'log', { name: `Log ${number}`, type: 'farm_activity', timestamp: 1_580_000_000 + number })
      }
      const names: string[] = []
      for (let page = 0, last = 0; page <= last; page += 1) {
        const leaf = await ask(`log.json?type=farm_activity&page=${page}`)
        expect([pageIn(leaf.self), pageIn(leaf.first)]).toEqual([page, 0])
        last = pageIn(leaf.last)
        names.push(...leaf.list.map((log: Json) => log.name))
      }
      expect(names).toEqual(Array.from({ length: 101 }, (_, index) => `Log ${index + 1}`))
    })

    it('reads terms by id, by vocabulary, and areas by tid', async () => {
      expect(await ask('taxonomy_term/7.json')).toMatchObject({ tid: '7', name: 'Compost' })
      expect((await ask('taxonomy_term.json?bundle=farm_log_categories&page=0')).list).toHaveLength(8)
      const { resources } = await ask('farm.json')
      const { vid } = resources.taxonomy_term.farm_areas
      const area = { name: 'Area', vocabulary: { id: vid, resource: 'taxonomy_vocabulary' }, area_type: 'field' }
      const { id } = (await (await tell('POST', 'taxonomy_term', area)).json()) as Json
      const found = await ask(`taxonomy_term.json?bundle=farm_areas&tid=${id}&page=0`)
      expect(found.list).toMatchObject([{ tid: id, area_type: 'field' }])
    })

    it('creates, updates and deletes an asset', async () => {
      const { id } = (await (
        await tell('POST', 'farm_asset', { name: 'Tractor', type: 'equipment', serial_number: '1234567890' })
      ).json()) as Json
      expect((await tell('PUT', `farm_asset/${id}`, { serial_number: '0987654321' })).status).toBe(200)
      expect((await ask(`farm_asset.json?type=equipment&page=0`)).list).toMatchObject([
        { id, serial_number: '0987654321' },
      ])
      const gone = await jar.send('DELETE', `/farm_asset/${id}`, { headers: { ...asPython, 'x-csrf-token': csrf } })
      expect(gone.status).toBe(200)
    })
  })

  it('has a bearer token and still wants a session token before it begins', async () => {
    const token = await farm.token(login.name, login.password, 'user_access')
    const answer = await fetch(`${farm.base}/restws/session/token`, {
      headers: { ...asPython, authorization: `Bearer ${token}` },
    })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
  })
})
