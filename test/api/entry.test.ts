import { describe, expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()

describe('GET /api with a bearer token', () => {
  test('is the entry document of the newer interface', async () => {
    const ada = await farm.login('manager')
    const answer = await ada.get('/api')
    expect(answer.headers.get('content-type')).toBe('application/vnd.api+json')
    expect(answer.body).toMatchObject({
      jsonapi: { version: expect.any(String) },
      data: [],
      meta: {
        farm: { name: 'My farm', url: farm.base, version: expect.any(String), system_of_measurement: 'metric' },
        links: { me: { meta: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } } },
      },
      links: { self: { href: `${farm.base}/api` } },
    })
  })

  test('links only to what answers', async () => {
    const ada = await farm.login('manager')
    const { body } = await ada.get('/api')
    const links = [body.meta.links.me.href, ...Object.values<{ href: string }>(body.links).map(({ href }) => href)]
    for (const href of links) expect([href, (await ada.get(new URL(href).pathname)).status]).toEqual([href, 200])
  })

  test('is open to every account, and answers 401 with a challenge to everybody else', async () => {
    expect(await (await farm.login(null)).get('/api')).toMatchObject({ status: 200 })
    for (const headers of [{}, { authorization: 'Bearer made-up' }]) {
      const answer = await farm.anonymous.get('/api', headers as Record<string, string>)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="farm"/)
    }
  })
})
