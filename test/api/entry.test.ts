import { describe, expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()

describe('GET /api', () => {
  test.each(['/api', '/api/', '/api?cacheBust=1718000000', '/api/?cacheBust=1'])(
    'is the entry document: %s',
    async (path) => {
      const ada = await farm.login('manager')
      const answer = await ada.get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.api+json'])
      const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      expect(answer.body).toMatchObject({
        jsonapi: { version: '1.0', meta: { links: { self: { href: 'http://jsonapi.org/format/1.0/' } } } },
        data: [],
        meta: {
          farm: { name: 'My farm', url: farm.base, version: '3.4.5', system_of_measurement: 'metric' },
          furrow: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
          links: { me: { meta: { id } } },
        },
        links: {
          self: { href: `${farm.base}/api` },
          'asset--land': { href: `${farm.base}/api/asset/land` },
          'user--user': { href: `${farm.base}/api/user/user` },
          'file--file': { href: `${farm.base}/api/file/file` },
          'asset_type--asset_type': { href: `${farm.base}/api/asset_type/asset_type` },
        },
      })
      const { me } = answer.body.meta.links
      expect(me.href).toBe(`${farm.base}/api/user/user/${me.meta.id}`)
    },
  )

  test('leads to the caller’s own user', async () => {
    for (const role of ['manager', 'viewer', null] as const) {
      const client = await farm.login(role)
      const { me } = (await client.get('/api')).body.meta.links
      const { body } = await client.get(new URL(me.href).pathname)
      expect(body.data).toMatchObject({ id: me.meta.id, attributes: { name: client.login.name } })
    }
  })

  test('links the families of a plain farm, and each vocabulary beyond the plain seven from its first term on', async () => {
    const ada = await farm.login('manager')
    const linked = async (family: string) =>
      Object.keys((await ada.get('/api')).body.links)
        .filter((name) => name.startsWith(`${family}--`))
        .map((name) => name.replace(/^.*--/, ''))
        .toSorted()
    const plain = ['animal_type', 'crop_family', 'log_category', 'material_type', 'plant_type', 'season', 'unit']
    expect(await linked('taxonomy_term')).toEqual(plain)
    expect(await linked('quantity')).toEqual(['material', 'standard', 'test'])
    expect(await linked('log')).toEqual(
      expect.arrayContaining(['activity', 'harvest', 'input', 'lab_test', 'maintenance', 'observation', 'seeding']),
    )
    expect(await linked('asset')).toEqual(
      expect.arrayContaining(['animal', 'equipment', 'land', 'plant', 'seed', 'structure', 'water']),
    )
    const id = await ada.create('taxonomy_term', { name: 'Loam', vocabulary: 'farm_soil_names' })
    expect(await linked('taxonomy_term')).toEqual([...plain, 'soil_name'].toSorted())
    await ada.delete(`/taxonomy_term/${id}`)
    expect(await linked('taxonomy_term')).toEqual(plain)
  })

  test('is told once to who has it already', async () => {
    const ada = await farm.login('manager')
    const { headers } = await ada.get('/api')
    expect((await ada.get('/api', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  })

  test('is open to every account, and answers 401 with a challenge to everybody else', async () => {
    expect(await (await farm.login(null)).get('/api')).toMatchObject({ status: 200 })
    for (const headers of [{}, { authorization: 'Bearer made-up' }]) {
      const answer = await farm.anonymous.get('/api', headers as Record<string, string>)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/vnd.api+json'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="farm"/)
      expect(answer.body.errors[0].status).toBe('401')
    }
  })

  test('refuses a plain word in the query that it does not know', async () => {
    const answer = await (await farm.login()).get('/api?limit=5')
    expect([answer.status, answer.body.errors[0].source]).toEqual([400, { parameter: 'limit' }])
  })
})
