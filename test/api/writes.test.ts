import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { addressOf, details, JsonApiClient, named, pointers, to } from './json-api-client.ts'

const farm = await openFarm()
const manager = await farm.login('manager')
const ada = new JsonApiClient(manager)
const nowhere = '00000000-0000-4000-8000-000000000000'

const countOf = async (path: string): Promise<number> => (await ada.get(`/api/${path}`)).body.data.length

describe('a resource that comes with an id of its own', () => {
  test('is kept under it, in lower case, and is the same record by its number', async () => {
    const id = randomUUID()
    const made = await ada.make('log/activity', { id: id.toUpperCase(), attributes: { name: 'Fence' } })
    expect([made.status, made.body.data.id]).toEqual([201, id])
    expect((await ada.read({ type: 'log--activity', id })).attributes.name).toBe('Fence')
    const { drupal_internal__id: number } = made.body.data.attributes
    expect(await manager.read(`/log/${number}.json?with=uuid`)).toMatchObject({ uuid: id, name: 'Fence' })
  })

  test.each(
    shareOfThisEngine(['asset/land', 'asset/equipment', 'log/activity', 'quantity/standard', 'taxonomy_term/unit']),
  )('is refused with 409 where that is known, of whatever type: %s', async (path) => {
    const unit = await ada.made('taxonomy_term/unit', { name: 'Crate' })
    const attributes = path.startsWith('quantity') ? {} : { name: 'Another' }
    const land = path === 'asset/land' ? { land_type: 'bed' } : {}
    const again = await ada.make(path, { id: unit.id, attributes: { ...attributes, ...land } })
    expect([again.status, again.body.errors]).toMatchObject([
      409,
      [{ status: '409', code: 'uuid-taken', source: { pointer: '/data/id' } }],
    ])
    expect(await ada.read(unit)).toEqual(unit)
  })

  test('is refused with 409 for the same account and the same content, too', async () => {
    const members = { id: randomUUID(), attributes: { name: 'Once' } }
    expect((await ada.make('log/activity', members)).status).toBe(201)
    expect((await ada.make('log/activity', members)).status).toBe(409)
  })

  test('is told where to bring back what was removed', async () => {
    const log = await ada.made('log/activity', { name: 'Gone' })
    await ada.drop(log)
    const again = await ada.make('log/activity', { id: log.id, attributes: { name: 'Anew' } })
    expect([again.status, details(again)]).toEqual([409, [expect.stringContaining(`POST /trash/${log.id}/restore`)]])
  })

  test.each(
    shareOfThisEngine(['x', '', 5, [], {}, true, '00000000-0000-4000-8000-00000000000', `{${nowhere}}`, ` ${nowhere}`]),
  )('takes nothing but a UUID: %j is 422, and nothing is made', async (id) => {
    const before = await countOf('log/birth')
    const refused = await ada.make('log/birth', { id })
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/id']])
    expect(await countOf('log/birth')).toBe(before)
  })

  test('may say null, which is none', async () => {
    expect((await ada.make('log/activity', { id: null })).status).toBe(201)
  })
})

describe('the type in a body', () => {
  test.each(shareOfThisEngine(['log--harvest', 'activity', 'nonsense', '', '__proto__']))(
    'is not compared, the address decides: %j',
    async (type) => {
      const made = await ada.make('log/activity', { type, attributes: { name: 'Typed' } })
      expect([made.status, made.body.data?.type]).toEqual([201, 'log--activity'])
      const changed = await ada.change(made.body.data, { type, attributes: { name: 'Typed again' } })
      expect([changed.status, changed.body.data?.type]).toEqual([200, 'log--activity'])
    },
  )

  test.each(shareOfThisEngine([1, null, [], {}, undefined]))('is a text: %j is 400', async (type) => {
    const refused = await ada.make('log/activity', { type })
    expect([refused.status, pointers(refused)]).toEqual([400, ['/data/type']])
  })
})

describe('a change', () => {
  const start = async () => {
    const shed = await ada.made('asset/equipment', { name: 'Shed' })
    return ada.made(
      'log/harvest',
      { name: 'Pick', notes: 'wet', flag: ['monitor', 'review'], lot_number: 'B-7', data: '{}', status: 'pending' },
      { asset: to([shed]) },
    )
  }
  const without = ({ attributes, relationships }: Json, ...names: string[]) => {
    const ofFarm = ['changed', 'revision_created', 'drupal_internal__revision_id']
    const kept = ([name]: [string, unknown]) => ![...ofFarm, ...names].includes(name)
    // A link says at what revision it was.
    const links = Object.entries<Json>(relationships).map(([name, { data }]): [string, unknown] => [name, data])
    return Object.fromEntries([...Object.entries<unknown>(attributes), ...links].filter(kept))
  }

  test('changes only what is sent', async () => {
    const log = await start()
    const changed = await ada.change(log, { attributes: { lot_number: 'B-8' } })
    expect([changed.status, changed.body.data.attributes.lot_number]).toEqual([200, 'B-8'])
    expect(without(changed.body.data, 'lot_number')).toEqual(without(log, 'lot_number'))
    expect(await ada.read(log)).toEqual(changed.body.data)
  })

  test('replaces a list as a whole, and empties what it sends as null or []', async () => {
    const log = await start()
    const flagged = await ada.change(log, { attributes: { flag: ['priority'] } })
    expect(flagged.body.data.attributes.flag).toEqual(['priority'])
    const emptied = await ada.change(log, {
      attributes: { flag: [], notes: null, lot_number: '' },
      relationships: { asset: to([]) },
    })
    expect(emptied.body.data).toMatchObject({
      attributes: { flag: [], notes: null, lot_number: null, name: 'Pick', status: 'pending' },
      relationships: { asset: { data: [] } },
    })
  })

  test('makes no new revision if nothing changes', async () => {
    const log = await start()
    for (const members of [{}, { attributes: {}, relationships: {} }, { attributes: [] }, { attributes: null }, log]) {
      const same = await ada.change(log, members)
      expect([same.status, same.body.data]).toEqual([200, log])
    }
  })

  test('leaves a relationship alone that comes without data, whatever else it holds', async () => {
    const log = await start()
    for (const asset of [{}, null, { links: {} }, { type: 'asset--equipment', id: nowhere }, []]) {
      const same = await ada.change(log, { relationships: { asset } })
      expect([same.status, same.body.data]).toEqual([200, log])
    }
  })

  test.each(
    shareOfThisEngine([
      ['another', randomUUID()],
      ['none', undefined],
      ['null', null],
      ['a number', 12],
    ]),
  )('whose id is not that of the address is 400: %s', async (_, id) => {
    const log = await start()
    const refused = await ada.change(log, { id, attributes: { name: 'Other' } })
    expect([refused.status, pointers(refused)]).toEqual([400, ['/data/id']])
    expect(await ada.read(log)).toEqual(log)
  })

  test('names its id in any case', async () => {
    const log = await start()
    const changed = await ada.change(log, { id: log.id.toUpperCase(), attributes: { name: 'Other' } })
    expect([changed.status, changed.body.data.id]).toEqual([200, log.id])
  })

  test('of what is not there is 404, and the client may make it under the same id', async () => {
    const id = randomUUID()
    const missing = await ada.change({ type: 'log--activity', id }, { attributes: { name: 'New' } })
    expect([missing.status, missing.body.errors[0].status]).toEqual([404, '404'])
    expect((await ada.make('log/activity', { id, attributes: { name: 'New' } })).status).toBe(201)
    expect((await ada.change({ type: 'log--activity', id }, { attributes: { name: 'Newer' } })).status).toBe(200)
  })

  test('under another type than its own is 404, and changes nothing', async () => {
    const log = await start()
    for (const type of ['log--activity', 'asset--land', 'taxonomy_term--unit', 'quantity--standard']) {
      expect((await ada.change({ ...named(log), type }, { attributes: { name: 'Other' } })).status).toBe(404)
      expect((await ada.drop({ ...named(log), type })).status).toBe(404)
    }
    expect(await ada.read(log)).toEqual(log)
  })

  test('takes back what the farm itself says, and ignores it', async () => {
    const log = await start()
    const same = await ada.change(log, {
      attributes: {
        drupal_internal__id: 999,
        drupal_internal__revision_id: 'x',
        changed: 'never',
        created: '1999-01-01T00:00:00+00:00',
        revision_created: null,
        langcode: 'fr',
        default_langcode: false,
        revision_translation_affected: false,
      },
      relationships: {
        log_type: { data: { type: 'log_type--log_type', id: nowhere } },
        uid: { data: { type: 'user--user', id: nowhere } },
        revision_user: { data: 'nonsense' },
      },
    })
    expect([same.status, same.body.data]).toEqual([200, log])
  })

  test('takes back what follows from logs, and ignores it', async () => {
    const plough = await ada.made('asset/equipment', { name: 'Plough' })
    const same = await ada.change(plough, {
      attributes: { geometry: 'POINT (1 2)', inventory: [{ measure: 'count', value: '5', units: '' }] },
      relationships: { location: to([plough]), group: { data: [] }, asset_type: { data: null } },
    })
    expect([same.status, same.body.data]).toEqual([200, plough])
  })
})

describe('what is removed', () => {
  test.each(
    shareOfThisEngine([
      ['log/activity', { name: 'Fence' }],
      ['asset/equipment', { name: 'Spade' }],
      ['asset/land', { name: 'Bed', land_type: 'bed' }],
      ['taxonomy_term/unit', { name: 'Sack' }],
    ]),
  )('is answered with 204 and no body, and with 404 from then on: %s', async (path, attributes) => {
    const made = await ada.made(path, attributes)
    const gone = await ada.drop(made)
    expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null])
    expect((await ada.drop(made)).status).toBe(404)
    expect((await ada.get(addressOf(made))).status).toBe(404)
    expect((await ada.change(made, { attributes })).status).toBe(404)
    expect((await ada.get(`/api/${path}?filter[id]=${made.id}`)).body.data).toEqual([])
  })

  test('of the quantities is answered with 204 again and again', async () => {
    const amount = await ada.made('quantity/standard', { label: 'Two' })
    expect([(await ada.drop(amount)).status, (await ada.drop(amount)).status]).toEqual([204, 204])
    expect((await ada.drop({ type: 'quantity--standard', id: nowhere })).status).toBe(404)
  })

  test('is not what others still refer to: 409, until they do no more', async () => {
    const bed = await ada.made('asset/land', { name: 'Bed', land_type: 'bed' })
    const log = await ada.made('log/observation', { name: 'Wet' }, { location: to([bed]) })
    const refused = await ada.drop(bed)
    expect([refused.status, refused.body.errors[0].code]).toEqual([409, 'conflict'])
    await ada.drop(log)
    expect((await ada.drop(bed)).status).toBe(204)
  })

  test('may be asked for with a media type and no body', async () => {
    const log = await ada.made('log/activity')
    expect((await ada.drop(log, { 'content-type': 'application/vnd.api+json' })).status).toBe(204)
  })
})

describe('what is wrong', () => {
  test('is told all together, each with a pointer to what was sent, and nothing is made', async () => {
    const before = await countOf('log/birth')
    const refused = await ada.make('log/birth', {
      attributes: {
        name: 'x'.repeat(256),
        timestamp: 'tomorrow',
        status: 'perhaps',
        geometry: 'POINT (a b)',
        is_movement: 'maybe',
        colour: 'red',
        asset: [],
        'a/b~c': 1,
      },
      relationships: { name: { data: null }, herd: { data: [] }, mother: to({ type: 'asset--animal', id: nowhere }) },
    })
    expect([refused.status, pointers(refused).sort()]).toEqual([
      422,
      [
        '/data/attributes/asset',
        '/data/attributes/a~1b~0c',
        '/data/attributes/colour',
        '/data/attributes/geometry',
        '/data/attributes/is_movement',
        '/data/attributes/name',
        '/data/attributes/status',
        '/data/attributes/timestamp',
        '/data/relationships/herd',
        '/data/relationships/mother/data',
        '/data/relationships/name',
      ],
    ])
    expect(await countOf('log/birth')).toBe(before)
  })

  test('is told of a change in the same way, and nothing of it is done', async () => {
    const cow = await ada.made('asset/group', { name: 'Herd' })
    const refused = await ada.change(cow, {
      attributes: { name: '', notes: 'kept?', archived: 'often', id_tag: [{ id: '7' }, { id: '8', colour: 'red' }] },
    })
    expect([refused.status, pointers(refused).sort()]).toEqual([
      422,
      ['/data/attributes/archived', '/data/attributes/id_tag/1/colour', '/data/attributes/name'],
    ])
    expect(await ada.read(cow)).toEqual(cow)
  })

  test('names what is required', async () => {
    for (const [path, pointer] of [
      ['asset/group', '/data/attributes/name'],
      ['taxonomy_term/unit', '/data/attributes/name'],
      ['asset/land', '/data/attributes/land_type'],
      ['asset/structure', '/data/attributes/structure_type'],
      ['asset/animal', '/data/relationships/animal_type/data'],
      ['asset/plant', '/data/relationships/plant_type/data'],
      ['asset/material', '/data/relationships/material_type/data'],
    ] as const) {
      const refused = await ada.make(path)
      expect([path, refused.status, pointers(refused)]).toEqual([path, 422, expect.arrayContaining([pointer])])
    }
  })

  test('of words tells those that there are', async () => {
    const refused = await ada.make('log/activity', { attributes: { status: 'perhaps' } })
    expect(refused.body.errors).toMatchObject([{ meta: { allowed: ['pending', 'done', 'abandoned'] } }])
  })

  test('of a target is its type, wherever the relationship is written', async () => {
    const log = await ada.made('log/activity')
    const unit = await ada.made('taxonomy_term/unit', { name: 'kg' })
    const refused = await ada.change(log, { relationships: { category: to([unit]) } })
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [
        {
          meta: { allowed: ['taxonomy_term--log_category'] },
          source: { pointer: '/data/relationships/category/data/0' },
        },
      ],
    ])
  })
})

describe('identifiers in a body', () => {
  test('are looked up in the family, whatever bundle they name', async () => {
    const bed = await ada.made('asset/land', { name: 'Bed', land_type: 'bed' })
    const made = await ada.made('log/activity', {}, { location: to([{ type: 'asset--plant', id: bed.id }]) })
    expect(made.relationships.location.data).toMatchObject([named(bed)])
  })

  test('of another family are not found: 404 with a pointer', async () => {
    const bed = await ada.made('asset/land', { name: 'Bed', land_type: 'bed' })
    const refused = await ada.make('log/activity', {
      relationships: { category: to([{ type: 'taxonomy_term--log_category', id: bed.id }]) },
    })
    expect([refused.status, pointers(refused)]).toEqual([404, ['/data/relationships/category/data/0']])
  })

  test.each(
    shareOfThisEngine([
      ['of no known type', { type: 'asset--dragon', id: nowhere }, 400],
      ['of a type that only objects inherit', { type: '__proto__', id: nowhere }, 400],
      ['without a type', { id: nowhere }, 400],
      ['without an id', { type: 'asset--land' }, 400],
      ['that are numbers', 12, 400],
      ['that lead nowhere', { type: 'asset--land', id: nowhere }, 404],
      ['that are no UUIDs', { type: 'asset--land', id: '12' }, 404],
    ]),
  )('%s are refused', async (_, identifier, status) => {
    const refused = await ada.make('log/activity', { relationships: { asset: { data: [identifier] } } })
    expect([refused.status, pointers(refused)[0]]).toEqual([
      status,
      expect.stringMatching(/^\/data\/relationships\/asset\/data\/0/),
    ])
  })

  test('may come with any meta, which is ignored', async () => {
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const meta = { drupal_internal__target_id: '6', target_revision_id: 'x', anything: [] }
    const made = await ada.made('log/activity', {}, { equipment: { data: [{ ...named(spade), meta }] } })
    expect(made.relationships.equipment.data).toMatchObject([named(spade)])
  })

  test('of terms never make one in passing', async () => {
    const before = await countOf('taxonomy_term/log_category')
    const refused = await ada.make('log/activity', {
      relationships: { category: { data: [{ type: 'taxonomy_term--log_category', id: 'Weeding' }] } },
    })
    expect([refused.status, pointers(refused)]).toEqual([404, ['/data/relationships/category/data/0']])
    const named = await ada.make('log/activity', {
      relationships: { category: { data: [{ type: 'taxonomy_term--log_category', name: 'Weeding' }] } },
    })
    expect(named.status).toBe(400)
    expect(await countOf('taxonomy_term/log_category')).toBe(before)
  })
})

describe('who may write', () => {
  test('is nobody who only reads: 403, and nobody who is not logged in: 401 with a challenge', async () => {
    const log = await ada.made('log/activity', { name: 'Mine' })
    const spade = await ada.made('asset/equipment', { name: 'Spade' })
    const viewer = new JsonApiClient(await farm.login('viewer'))
    const narrowed = new JsonApiClient(await farm.login('manager', 'farm_viewer'))
    const stranger = new JsonApiClient(farm.anonymous)
    for (const [client, status] of [
      [viewer, 403],
      [narrowed, 403],
      [stranger, 401],
    ] as const) {
      const links = `${addressOf(log)}/relationships/asset`
      const answers = [
        await client.make('log/activity', { attributes: { name: 'Theirs' } }),
        await client.change(log, { attributes: { name: 'Theirs' } }),
        await client.drop(log),
        await client.send('POST', links, to([spade])),
        await client.send('PATCH', links, to([spade])),
        await client.send('DELETE', links, to([spade])),
      ]
      expect(answers.map((answer) => [answer.status, answer.body.errors[0].status])).toEqual(
        answers.map(() => [status, String(status)]),
      )
      const challenges = answers.map(({ headers }) => headers.get('www-authenticate'))
      if (status === 401) expect(new Set(challenges)).toEqual(new Set(['Bearer realm="farm"']))
    }
    expect(await ada.read(log)).toEqual(log)
    expect((await ada.get('/api/log/activity?filter[name]=Theirs')).body.data).toEqual([])
  })

  test('is a worker, for whom a manager’s word on author and time does not count', async () => {
    const worker = new JsonApiClient(await farm.login('worker'))
    const { uid } = (await ada.made('log/activity')).relationships
    const made = await worker.made('log/activity', { created: '1999-01-01T00:00:00+00:00' }, { uid })
    expect(made.relationships.uid.data.id).not.toBe(uid.data.id)
    expect(made.attributes.created).not.toContain('1999')
  })

  test('is a manager, who may say who wrote a new record and when', async () => {
    const worker = new JsonApiClient(await farm.login('worker'))
    const { uid } = (await worker.made('log/activity')).relationships
    const made = await ada.made('log/activity', { created: '1999-01-01T00:00:00+00:00' }, { uid })
    expect(made).toMatchObject({
      attributes: { created: '1999-01-01T00:00:00+00:00' },
      relationships: { uid: { data: { id: uid.data.id } } },
    })
    const refused = await ada.make('log/activity', {
      attributes: { created: 'once' },
      relationships: { uid: to({ type: 'user--user', id: nowhere }) },
    })
    expect([refused.status, pointers(refused).sort()]).toEqual([
      422,
      ['/data/attributes/created', '/data/relationships/uid/data'],
    ])
  })
})
