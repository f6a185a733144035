import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { addressOf, JsonApiClient, named, to } from './json-api-client.ts'

const farm = await openFarm()
const manager = await farm.login('manager')
const ada = new JsonApiClient(manager)

const tagOf = async (resource: Json): Promise<string> => (await ada.get(addressOf(resource))).headers.get('etag') ?? ''
const nameOf = async (resource: Json): Promise<string> => (await ada.read(resource)).attributes.name

describe('If-Match', () => {
  test('with the tag of the answer lets a change and a removal through', async () => {
    const made = await ada.make('log/activity', { attributes: { name: 'One' } })
    const log = made.body.data
    const first = { 'if-match': made.headers.get('etag') ?? '' }
    const changed = await ada.change(log, { attributes: { name: 'Two' } }, first)
    expect([changed.status, changed.body.data.attributes.name]).toEqual([200, 'Two'])
    const second = { 'if-match': changed.headers.get('etag') ?? '' }
    expect((await ada.drop(log, second)).status).toBe(204)
  })

  test('with a tag that is over is 412, and nothing is done', async () => {
    const log = await ada.made('log/activity', { name: 'One' })
    const over = { 'if-match': await tagOf(log) }
    await ada.change(log, { attributes: { name: 'Two' } })
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const links = `${addressOf(log)}/relationships/asset`
    const answers = [
      await ada.change(log, { attributes: { name: 'Three' } }, over),
      await ada.drop(log, over),
      await ada.send('POST', links, to([spade]), over),
      await ada.send('PATCH', links, to([spade]), over),
      await ada.send('DELETE', links, to([spade]), over),
    ]
    expect(answers.map(({ status, body }) => [status, body.errors[0].code])).toEqual(
      answers.map(() => [412, 'precondition-failed']),
    )
    expect(await ada.read(log)).toMatchObject({ attributes: { name: 'Two' }, relationships: { asset: { data: [] } } })
  })

  test('is not bothered by changes elsewhere', async () => {
    const log = await ada.made('log/activity', { name: 'One' })
    const tag = await tagOf(log)
    await ada.made('log/activity', { name: 'Another' })
    expect((await ada.change(log, { attributes: { name: 'Two' } }, { 'if-match': tag })).status).toBe(200)
  })

  test('knows what was changed through the record interface', async () => {
    const log = await ada.made('log/activity', { name: 'One' })
    const tag = await tagOf(log)
    await manager.put(`/log/${log.attributes.drupal_internal__id}`, { name: 'Two' })
    expect((await ada.change(log, { attributes: { name: 'Three' } }, { 'if-match': tag })).status).toBe(412)
    expect(await nameOf(log)).toBe('Two')
  })

  test('of a quantity compares its log, where a log has it', async () => {
    const amount = await ada.made('quantity/standard', { label: 'Two' })
    const log = await ada.made('log/activity', { name: 'One' }, { quantity: to([amount]) })
    const tag = await tagOf(amount)
    await ada.change(log, { attributes: { name: 'Two' } })
    expect((await ada.change(amount, { attributes: { label: 'Three' } }, { 'if-match': tag })).status).toBe(412)
    expect((await ada.drop(amount, { 'if-match': tag })).status).toBe(412)
    const now = { 'if-match': await tagOf(amount) }
    expect((await ada.change(amount, { attributes: { label: 'Three' } }, now)).status).toBe(200)
  })

  test('* asks for no more than that the record is there', async () => {
    const log = await ada.made('log/activity', { name: 'One' })
    expect((await ada.change(log, { attributes: { name: 'Two' } }, { 'if-match': '*' })).status).toBe(200)
    const nobody = { type: 'log--activity', id: randomUUID() }
    expect((await ada.change(nobody, { attributes: { name: 'Two' } }, { 'if-match': '*' })).status).toBe(404)
  })

  test.each(shareOfThisEngine(['x', '""x', '5', 'W/x']))('that is no tag is 400: %s', async (match) => {
    const log = await ada.made('log/activity', { name: 'One' })
    expect((await ada.change(log, { attributes: { name: 'Two' } }, { 'if-match': match })).status).toBe(400)
    expect(await nameOf(log)).toBe('One')
  })
})

describe('Idempotency-Key', () => {
  test('makes a new resource once, and gives the same answer again', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const name = randomUUID()
    const first = await ada.make('log/activity', { attributes: { name } }, key)
    const again = await ada.make('log/activity', { attributes: { name } }, key)
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect([again.text, again.headers.get('content-type')]).toEqual([first.text, 'application/vnd.api+json'])
    for (const header of ['location', 'etag', 'change-set'])
      expect([header, again.headers.get(header)]).toEqual([header, first.headers.get(header)])
    expect((await ada.get(`/api/log/activity?filter[name]=${name}`)).body.data).toHaveLength(1)
  })

  test('makes a new resource with an id of its own once, where it would be 409 without', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const members = { id: randomUUID() }
    const statuses = []
    for (const headers of [key, key, {}]) statuses.push((await ada.make('log/activity', members, headers)).status)
    expect(statuses).toEqual([201, 201, 409])
  })

  test('changes and removes once', async () => {
    const log = await ada.made('log/activity', { name: 'One' })
    const key = { 'idempotency-key': randomUUID() }
    const first = await ada.change(log, { attributes: { name: 'Two' } }, key)
    await ada.change(log, { attributes: { name: 'Three' } })
    const again = await ada.change(log, { attributes: { name: 'Two' } }, key)
    expect([again.status, again.text, await nameOf(log)]).toEqual([200, first.text, 'Three'])
    const removal = { 'idempotency-key': randomUUID() }
    expect([(await ada.drop(log, removal)).status, (await ada.drop(log, removal)).status]).toEqual([204, 204])
    expect((await ada.drop(log)).status).toBe(404)
  })

  test('adds to a relationship once', async () => {
    const log = await ada.made('log/activity')
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const links = `${addressOf(log)}/relationships/asset`
    const key = { 'idempotency-key': randomUUID() }
    const first = await ada.send('POST', links, to([spade]), key)
    await ada.send('PATCH', links, { data: [] })
    expect((await ada.send('POST', links, to([spade]), key)).text).toBe(first.text)
    expect((await ada.read(log)).relationships.asset.data).toEqual([])
  })

  test('of another request is 422, of one that was refused it is free', async () => {
    const key = { 'idempotency-key': randomUUID() }
    expect((await ada.make('log/activity', { attributes: { status: 'x' } }, key)).status).toBe(422)
    expect((await ada.make('log/activity', { attributes: { name: 'One' } }, key)).status).toBe(201)
    const other = await ada.make('log/activity', { attributes: { name: 'Two' } }, key)
    expect([other.status, other.body.errors[0].code]).toEqual([422, 'invalid-content'])
  })

  test('of sixteen at the same moment makes one', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const name = randomUUID()
    const sent = Array.from({ length: 16 }, () => ada.make('log/activity', { attributes: { name } }, key))
    const answers = await Promise.all(sent)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await ada.get(`/api/log/activity?filter[name]=${name}`)).body.data).toHaveLength(1)
  })
})

describe('ETag', () => {
  test('of a resource, a list and a relationship is known again: 304 without a body', async () => {
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const log = await ada.made('log/activity', { name: 'One' }, { asset: to([spade]) })
    const at = addressOf(log)
    for (const path of [at, `${at}?include=asset`, '/api/log/activity', `${at}/asset`, `${at}/relationships/asset`]) {
      // On PostgreSQL a tag also changes with what others do on the same server.
      await expect
        .poll(async () => {
          const tag = (await ada.get(path)).headers.get('etag') ?? ''
          const { status, text, headers } = await ada.get(path, { 'if-none-match': tag })
          return { status, text, isSame: headers.get('etag') === tag }
        })
        .toEqual({ status: 304, text: '', isSame: true })
    }
  })

  test('is another after a change, of the resource and of what it shows beside', async () => {
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const log = await ada.made('log/activity', { name: 'One' }, { asset: to([spade]) })
    for (const path of [addressOf(log), `${addressOf(log)}?include=asset`, '/api/asset/equipment']) {
      const tag = (await ada.get(path)).headers.get('etag') ?? ''
      await ada.change(spade, { attributes: { name: randomUUID() } })
      await ada.change(log, { attributes: { name: randomUUID() } })
      expect([path, (await ada.get(path, { 'if-none-match': tag })).status]).toEqual([path, 200])
    }
  })

  test('of a write begins with the same version as that of the next read', async () => {
    const versionIn = (tag: string | null) => /^"(\d+\.[\w-]+)\./.exec(tag ?? '')?.[1]
    const made = await ada.make('asset/equipment', { attributes: { name: 'Spade' } })
    const first = versionIn(made.headers.get('etag'))
    expect([first, first]).toEqual([expect.stringMatching(/^1\./), versionIn(await tagOf(made.body.data))])
    const changed = await ada.change(made.body.data, { attributes: { name: 'Rake' } })
    const second = versionIn(changed.headers.get('etag'))
    expect([second, second]).toEqual([expect.stringMatching(/^2\./), versionIn(await tagOf(made.body.data))])
  })
})

describe('resourceVersion', () => {
  const written = async () => {
    const log = await ada.made('log/activity', { name: 'One', flag: ['review'] })
    await ada.change(log, { attributes: { name: 'Two', flag: [] } })
    await ada.change(log, { attributes: { name: 'Three' } })
    return log
  }

  test('id: shows a record as it was at that revision, and each link names its own', async () => {
    const log = await written()
    const names = []
    for (const revision of [1, 2, 3]) {
      const { attributes, links } = await ada.read(log, `?resourceVersion=id:${revision}`)
      names.push([attributes.name, attributes.flag, attributes.drupal_internal__revision_id])
      expect(links.self.href).toContain(`resourceVersion=id%3A${revision}`)
    }
    expect(names).toEqual([
      ['One', ['review'], 1],
      ['Two', [], 2],
      ['Three', [], 3],
    ])
    const { links } = await ada.read(log)
    expect((await ada.get(links.self.href.replace(farm.base, ''))).status).toBe(200)
  })

  test.each(shareOfThisEngine(['rel:latest-version', 'rel:working-copy']))(
    '%s is the present, of one and of a list',
    async (version) => {
      const log = await written()
      expect(await ada.read(log, `?resourceVersion=${version}`)).toEqual(await ada.read(log))
      expect((await ada.get(`/api/log/activity?resourceVersion=${version}`)).status).toBe(200)
    },
  )

  test('works on relationships and on what they lead to', async () => {
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const log = await ada.made('log/activity', {}, { asset: to([spade]) })
    await ada.change(log, { relationships: { asset: to([]) } })
    const at = (path: string) => ada.get(`${addressOf(log)}/${path}?resourceVersion=id:1`)
    expect((await at('relationships/asset')).body.data).toMatchObject([named(spade)])
    expect((await at('asset')).body.data).toMatchObject([{ attributes: { name: 'Spade' } }])
    expect((await ada.get(`${addressOf(log)}/relationships/asset`)).body.data).toEqual([])
  })

  test('that never was is 404', async () => {
    const log = await written()
    for (const revision of ['4', '999999999999'])
      expect((await ada.get(`${addressOf(log)}?resourceVersion=id:${revision}`)).status).toBe(404)
  })

  test.each(
    shareOfThisEngine([
      'id:',
      'id:0',
      'id:-1',
      'id:1.5',
      'id:x',
      '1',
      'rel:predecessor-version',
      '',
      'id:99999999999999999999',
    ]),
  )('in any other form is 400: %j', async (version) => {
    const log = await written()
    const refused = await ada.get(`${addressOf(log)}?resourceVersion=${version}`)
    expect([refused.status, refused.body.errors[0].source]).toEqual([400, { parameter: 'resourceVersion' }])
  })

  test('by its number is no way to ask for a list, and none is a way to write', async () => {
    const log = await written()
    expect((await ada.get('/api/log/activity?resourceVersion=id:1')).status).toBe(400)
    const path = `${addressOf(log)}?resourceVersion=rel:latest-version`
    expect((await ada.send('PATCH', path, { data: { ...named(log), attributes: { name: 'Four' } } })).status).toBe(400)
    expect((await manager.delete(path)).status).toBe(400)
    expect(await nameOf(log)).toBe('Three')
  })
})

describe('as_of', () => {
  const moved = async () => {
    const bed = await ada.made('asset/land', { name: 'Bed', land_type: 'bed', intrinsic_geometry: 'POINT (7 50)' })
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    await ada.made(
      'log/activity',
      { timestamp: 1_600_000_000, is_movement: true },
      { asset: to([spade]), location: to([bed]) },
    )
    return { bed, spade }
  }

  test('tells where an asset was at that second', async () => {
    const { bed, spade } = await moved()
    const before = await ada.read(spade, '?as_of=1599999999')
    expect([before.attributes.geometry, before.relationships.location.data]).toEqual([null, []])
    const after = await ada.read(spade, '?as_of=1600000000')
    expect(after.attributes.geometry).toMatchObject({ value: 'POINT (7 50)' })
    expect(after.relationships.location.data).toMatchObject([named(bed)])
    const written = await ada.read(spade, `?as_of=${encodeURIComponent('2020-09-13T14:26:39+02:00')}`)
    expect(written.relationships).toEqual(before.relationships)
    const list = await ada.get(`/api/asset/equipment?as_of=1599999999&filter[id]=${spade.id}`)
    expect(list.body.data[0].relationships.location.data).toEqual([])
  })

  test.each(shareOfThisEngine(['x', '1.5', '99999999999999', '']))(
    'takes a second of the past: %j is 400',
    async (second) => {
      const { spade } = await moved()
      const refused = await ada.get(`${addressOf(spade)}?as_of=${second}`)
      expect([refused.status, refused.body.errors[0].source]).toEqual([400, { parameter: 'as_of' }])
    },
  )

  test('is for reading: a write with it is 400', async () => {
    const { spade } = await moved()
    const path = `${addressOf(spade)}?as_of=1600000000`
    expect((await ada.send('PATCH', path, { data: { ...named(spade), attributes: { name: 'x' } } })).status).toBe(400)
    expect(await nameOf(spade)).toBe('Spade')
  })
})
