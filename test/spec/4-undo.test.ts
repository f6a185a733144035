import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
let manager: Client
let worker: Client

beforeAll(async () => {
  manager = await farm.login('manager')
  worker = await farm.login('worker')
})

const setOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.headers.get('change-set') ?? ''
}

const log = (more: object) => ({ type: 'farm_activity', timestamp: 100, name: 'Log', ...more })
const asset = (more: object) => ({ type: 'compost', name: 'Asset', ...more })

const undo = (set: string, query = '', client = worker): Promise<Answer> =>
  client.send('POST', `/changes/${set}/undo${query}`)

const undone = async (set: string, query = '', client = worker): Promise<Json> => {
  const answer = await undo(set, query, client)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  expect(answer.headers.get('change-set')).toBe(answer.body.set)
  return answer.body
}

const refused = async (set: string, query = '', client = worker): Promise<Json> => {
  const { status, body } = await undo(set, query, client)
  expect({ status, type: body.type }).toEqual({ status: 409, type: 'urn:furrow:refusal:not-undoable' })
  return body
}

const statusOf = async (path: string) => (await worker.get(path)).status

describe('undoing a set', () => {
  it('removes what it made, with the words it made along the way', async () => {
    const made = await worker.post('/log', log({ log_category: [{ name: 'Undone word' }], images: [dot] }))
    const [term] = (await worker.read('/taxonomy_term.json?name=Undone%20word')).list
    const answer = await undone(setOf(made))
    expect(answer).toEqual({
      set: expect.any(String),
      undoes: setOf(made),
      undone: expect.arrayContaining([
        { type: 'log', id: made.body.id, uuid: expect.any(String), name: 'Log', verb: 'remove' },
        { type: 'taxonomy_term', id: term.id, uuid: expect.any(String), name: 'Undone word', verb: 'remove' },
      ]),
      left: [],
    })
    expect([await statusOf(`/log/${made.body.id}.json`), await statusOf(`/taxonomy_term/${term.id}.json`)]).toEqual([
      404, 404,
    ])
    expect(await worker.read(`/sets/${setOf(made)}.json`)).toMatchObject({ undone_by: answer.set })
    expect(await worker.read(`/sets/${answer.set}.json`)).toMatchObject({ undoes: setOf(made), undone_by: null })
  })

  it('puts a change back: a wrong move, its photo and its quantities', async () => {
    const [here, there] = [
      await worker.create('taxonomy_term', { name: 'Here', vocabulary: 'farm_areas', area_type: 'field' }),
      await worker.create('taxonomy_term', { name: 'There', vocabulary: 'farm_areas', area_type: 'field' }),
    ]
    const cart = await worker.create('farm_asset', asset({}))
    const move = log({
      done: 1,
      asset: [{ id: cart }],
      movement: { area: [{ id: here }] },
      images: [dot],
      quantity: [{ measure: 'count', value: '2', unit: { name: 'wheels' } }],
    })
    const id = await worker.create('log', move)
    const { changed: _, ...before } = await worker.read(`/log/${id}.json`)
    const place = await worker.read(`/farm_asset/${cart}.json`)
    const wrong = await worker.put(`/log/${id}`, {
      movement: { area: [{ id: there }] },
      images: [],
      quantity: [],
    })
    expect(await undone(setOf(wrong))).toMatchObject({ undone: [{ type: 'log', id, verb: 'update' }], left: [] })
    const { changed: __, ...after } = await worker.read(`/log/${id}.json`)
    expect(after).toEqual(before)
    expect(await worker.read(`/farm_asset/${cart}.json`)).toEqual(place)
  })

  it('restores what it removed, as it was before the set, with its number and files', async () => {
    const id = await worker.create('log', log({ name: 'Kept', images: [dot] }))
    const { changed: _, ...before } = await worker.read(`/log/${id}.json`)
    const gone = await worker.post('/batch', {
      operations: [
        { method: 'PUT', path: `/log/${id}`, body: { name: 'On its way out', images: [] } },
        { method: 'DELETE', path: `/log/${id}` },
      ],
    })
    expect(await undone(setOf(gone))).toMatchObject({ undone: [{ type: 'log', id, verb: 'restore' }] })
    const { changed: __, ...after } = await worker.read(`/log/${id}.json`)
    expect(after).toEqual(before)
  })

  it('undoes a whole batch, whichever way its references point', async () => {
    const old = await worker.create('farm_asset', asset({ name: 'Old' }))
    const user = await worker.create('log', log({ asset: [{ id: old }] }))
    const answer = await worker.post('/batch', {
      operations: [
        { method: 'POST', path: '/farm_asset', body: asset({ name: 'A' }), as: 'a' },
        { method: 'POST', path: '/farm_asset', body: asset({ name: 'B' }), as: 'b' },
        { method: 'PUT', path: '/farm_asset/$a', body: { parent: [{ id: '$b' }] } },
        { method: 'PUT', path: `/log/${user}`, body: { asset: [{ id: '$a' }] } },
        { method: 'DELETE', path: `/farm_asset/${old}` },
      ],
    })
    expect((await undone(setOf(answer))).undone.map(({ verb }: Json) => verb).sort()).toEqual([
      'remove',
      'remove',
      'restore',
      'update',
    ])
    expect((await worker.read(`/log/${user}.json`)).asset).toMatchObject([{ id: old }])
  })

  it('swaps what stands above what back again', async () => {
    const a = await worker.create('farm_asset', asset({ name: 'Above' }))
    const b = await worker.create('farm_asset', asset({ name: 'Below', parent: [{ id: a }] }))
    const swap = await worker.post('/batch', {
      operations: [
        { method: 'PUT', path: `/farm_asset/${a}`, body: { name: 'Above once' } },
        { method: 'PUT', path: `/farm_asset/${b}`, body: { parent: [] } },
        { method: 'PUT', path: `/farm_asset/${a}`, body: { parent: [{ id: b }] } },
      ],
    })
    await undone(setOf(swap))
    expect((await worker.read(`/farm_asset/${b}.json`)).parent).toMatchObject([{ id: a }])
    expect((await worker.read(`/farm_asset/${a}.json`)).parent).toEqual([])
  })

  it('is refused when a later change is in effect, the same person’s too, by record, set, who and when', async () => {
    const made = await worker.post('/log', log({}))
    const later = await worker.put(`/log/${made.body.id}`, { name: 'Later' })
    const { at } = await worker.read(`/sets/${setOf(later)}.json`)
    const body = await refused(setOf(made))
    expect(body.errors).toEqual([
      {
        field: `log/${made.body.id}`,
        message: `was changed by ${worker.login.name} at ${at}, in the set ${setOf(later)}`,
      },
    ])
    expect((await worker.read(`/log/${made.body.id}.json`)).name).toBe('Later')
    const { left } = await undone(setOf(made), '?leave=used')
    expect(left).toMatchObject([{ type: 'log', id: made.body.id, because: body.errors[0].message }])
    expect(await statusOf(`/log/${made.body.id}.json`)).toBe(200)
  })

  it('is refused when others refer to what it made, and names them', async () => {
    const made = await worker.post('/farm_asset', asset({}))
    const user = await worker.create('log', log({ asset: [{ id: made.body.id }] }))
    expect((await refused(setOf(made))).errors).toEqual([
      { field: `farm_asset/${made.body.id}`, message: `is used by log ${user}` },
    ])
  })

  it('leaves words that others use by now, and lists them', async () => {
    const made = await worker.post('/log', log({ log_category: [{ name: 'Shared word' }] }))
    const user = await worker.create('log', log({ log_category: [{ name: 'shared word' }] }))
    expect(await undone(setOf(made))).toMatchObject({
      undone: [{ type: 'log', id: made.body.id }],
      left: [{ type: 'taxonomy_term', name: 'Shared word', because: `is used by log ${user}` }],
    })
  })

  it('with leave=used keeps what is used, with all that it needs in turn', async () => {
    const answer = await worker.post('/batch', {
      operations: [
        { method: 'POST', path: '/farm_asset', body: asset({ name: 'Parent' }), as: 'parent' },
        {
          method: 'POST',
          path: '/farm_asset',
          body: asset({ name: 'Child', parent: [{ id: '$parent' }] }),
          as: 'child',
        },
        { method: 'POST', path: '/farm_asset', body: asset({ name: 'Lonely' }) },
      ],
    })
    const [parent, child, lonely] = answer.body.results.map(({ id }: Json) => id)
    await worker.create('log', log({ asset: [{ id: child }] }))
    expect((await refused(setOf(answer))).errors).toHaveLength(2)
    const { undone: done, left } = await undone(setOf(answer), '?leave=used')
    expect(done).toMatchObject([{ id: lonely, verb: 'remove' }])
    expect(left.map(({ id }: Json) => id).sort()).toEqual([parent, child].sort())
  })

  it('is refused when something it would refer to again is not there any more', async () => {
    const old = await worker.create('farm_asset', asset({ name: 'Scrap' }))
    const id = await worker.create('log', log({ asset: [{ id: old }] }))
    const change = await worker.put(`/log/${id}`, { asset: [] })
    const removal = await worker.delete(`/farm_asset/${old}`)
    expect((await refused(setOf(change))).errors).toEqual([
      { field: `log/${id}`, message: `named asset ${old} in asset, which is not there any more` },
    ])
    await undone(setOf(removal))
    await undone(setOf(change))
    expect((await worker.read(`/log/${id}.json`)).asset).toMatchObject([{ id: old }])
  })

  it('can be undone, which does it again, and undone again, as often as one likes', async () => {
    const made = await worker.post('/log', log({ name: 'To and fro' }))
    const path = `/log/${made.body.id}.json`
    const change = setOf(await worker.put(`/log/${made.body.id}`, { name: 'Fro' }))
    const nameNow = async () => (await worker.read(path)).name
    let last = change
    for (const name of ['To and fro', 'Fro', 'To and fro', 'Fro']) {
      const { set } = await undone(last)
      expect(await nameNow()).toBe(name)
      expect((await refused(last)).detail).toContain(set)
      last = set
    }
    const again = (await undone(change)).set
    expect(await nameNow()).toBe('To and fro')
    expect((await worker.read(`/sets/${change}.json`)).undone_by).toBe(again)
    const gone = await undone(setOf(made))
    expect(await statusOf(path)).toBe(404)
    await undone(gone.set)
    expect(await nameNow()).toBe('To and fro')
    await undone(again)
    expect(await nameNow()).toBe('Fro')
    expect((await refused(setOf(made))).errors[0].message).toContain(change)
  })

  it('knows what is in effect when an older redoing is taken back after a newer one', async () => {
    const id = await worker.create('log', log({ name: 'One' }))
    const change = setOf(await worker.put(`/log/${id}`, { name: 'Two' }))
    const first = (await undone(change)).set
    const redone = (await undone(first)).set
    const second = (await undone(change)).set
    await undone(second)
    await undone(redone)
    expect((await worker.read(`/log/${id}.json`)).name).toBe('One')
    expect(await worker.read(`/sets/${change}.json`)).toMatchObject({ undone_by: first })
    await refused(change)
  })

  it('a partly undone set does not hide its rest from older sets', async () => {
    const id = await worker.create('log', log({ name: 'One' }))
    const [two, three] = [
      setOf(await worker.put(`/log/${id}`, { name: 'Two' })),
      setOf(
        await worker.post('/batch', {
          operations: [
            { method: 'PUT', path: `/log/${id}`, body: { name: 'Three' } },
            { method: 'POST', path: '/log', body: log({ name: 'Beside' }) },
          ],
        }),
      ),
    ]
    const four = setOf(await worker.put(`/log/${id}`, { name: 'Four' }))
    expect((await undone(three, '?leave=used')).left).toHaveLength(1)
    await undone(four)
    expect((await worker.read(`/log/${id}.json`)).name).toBe('Three')
    await refused(two)
  })

  it('that made and removed something again is undone without a change', async () => {
    const answer = await worker.post('/batch', {
      operations: [
        { method: 'POST', path: '/log', body: log({}), as: 'short' },
        { method: 'DELETE', path: '/log/$short' },
      ],
    })
    expect(await undone(setOf(answer))).toMatchObject({ undone: [], left: [] })
    await refused(setOf(answer))
  })

  it('names what is in the way where another undoing has left the record as it was', async () => {
    const [one, two] = [await worker.create('log', log({})), await worker.create('log', log({}))]
    const change = (id: string, name: string) => ({ method: 'PUT', path: `/log/${id}`, body: { name } })
    const first = setOf(await worker.put(`/log/${two}`, { name: 'First' }))
    const both = setOf(await worker.post('/batch', { operations: [change(one, 'Both'), change(two, 'Both')] }))
    const last = setOf(await worker.put(`/log/${two}`, { name: 'Last' }))
    await undone(both, '?leave=used')
    await undone(last.toUpperCase())
    expect((await refused(first)).errors).toMatchObject([
      { field: `log/${two}`, message: expect.stringContaining(`in the set ${both}`) },
    ])
  })

  it('is refused for what has ended for good, whose history keeps who and when', async () => {
    const answer = await worker.post('/batch', {
      operations: ['Ended', 'Other'].map((name) => ({ method: 'POST', path: '/log', body: log({ name }) })),
    })
    const [ended, other] = answer.body.results.map(({ id }: Json) => id)
    const { uuid } = await worker.read(`/log/${ended}/history.json`)
    const removal = await worker.delete(`/log/${ended}`)
    expect((await manager.delete(`/trash/${uuid}`)).status).toBe(200)
    expect((await refused(setOf(answer))).errors).toEqual([{ field: `log/${ended}`, message: 'has ended for good' }])
    expect((await refused(setOf(removal))).errors).toEqual([{ field: `log/${ended}`, message: 'has ended for good' }])
    expect(await worker.read(`/log/${ended}/history.json`)).toMatchObject({
      uuid,
      revisions: [
        { revision: 2, verb: 'remove', fields: null, set: setOf(removal), who: { name: worker.login.name } },
        { revision: 1, verb: 'create', fields: null, set: setOf(answer), who: { name: worker.login.name } },
      ],
    })
    expect((await worker.post(`/log/${ended}/revert`, { revision: 1 })).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('ended for good'),
    })
    expect(await undone(setOf(answer), '?leave=used')).toMatchObject({
      undone: [{ id: other, verb: 'remove' }],
      left: [{ id: ended, uuid, name: null, because: 'has ended for good' }],
    })
  })

  it('takes back a restoring, and what it brought back lies in the trash again', async () => {
    const id = await worker.create('log', log({ name: 'Back and gone', images: [dot] }))
    const { uuid } = await worker.read(`/log/${id}/history.json`)
    await worker.delete(`/log/${id}`)
    const restored = await worker.send('POST', `/trash/${uuid}/restore`)
    expect(await undone(setOf(restored))).toMatchObject({ undone: [{ id, verb: 'remove' }] })
    expect(await worker.read(`/trash/${uuid}.json`)).toMatchObject({ name: 'Back and gone', files: [{}] })
  })

  it('is refused where the photo that it would bring back was freed', async () => {
    const id = await worker.create('log', log({ images: [dot] }))
    const change = await worker.put(`/log/${id}`, { images: [] })
    expect((await manager.delete('/trash')).status).toBe(200)
    expect((await refused(setOf(change))).errors[0].message).toMatch(/^named file \d+ in images, which is not there/)
  })

  it('is for workers that of their own sets, and for managers of any', async () => {
    const made = await manager.post('/log', log({}))
    const own = await worker.post('/log', log({}))
    const foreign = await undo(setOf(made))
    expect([foreign.status, foreign.body.detail]).toEqual([
      403,
      `Another user made the set ${setOf(made)}: workers undo their own sets, managers undo any.`,
    ])
    const narrowed = await undo(setOf(own), '', await farm.login('manager', 'farm_worker'))
    expect([narrowed.status, narrowed.body.detail]).toEqual([
      403,
      expect.stringMatching(/^Another user made the set .* it takes the scope farm_manager\.$/),
    ])
    expect((await undo(setOf(own), '', manager)).status).toBe(200)
    expect((await undo(setOf(own), '', await farm.login('viewer'))).status).toBe(403)
  })

  it('is carried out once under an Idempotency-Key', async () => {
    const made = await worker.post('/log', log({}))
    const send = () =>
      worker.send('POST', `/changes/${setOf(made)}/undo`, { headers: { 'idempotency-key': 'undo it once' } })
    const first = await send()
    const again = await send()
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('change-set')).toBe(first.headers.get('change-set'))
  })

  it('judges circles as a write does', async () => {
    const a = await worker.create('farm_asset', asset({ name: 'A' }))
    const b = await worker.create('farm_asset', asset({ name: 'B', parent: [{ id: a }] }))
    const parted = await worker.put(`/farm_asset/${b}`, { parent: [] })
    await worker.put(`/farm_asset/${a}`, { parent: [{ id: b }] })
    const answer = await undo(setOf(parted))
    expect(answer.body).toMatchObject({ status: 409, errors: [{ field: 'parent' }] })
    expect((await worker.read(`/farm_asset/${b}.json`)).parent).toEqual([])
  })

  it('brings a circle back that a late log had made of the past, where nothing else has changed', async () => {
    const [one, two] = [
      await worker.create('farm_asset', { type: 'group', name: 'One' }),
      await worker.create('farm_asset', { type: 'group', name: 'Two' }),
    ]
    const joins = (member: string, group: string, timestamp: number) =>
      log({ timestamp, done: 1, asset: [{ id: member }], membership: { group: [{ id: group }] } })
    const first = await worker.create('log', joins(one, two, 1000))
    await worker.create('log', joins(two, one, 500))
    const removal = await worker.delete(`/log/${first}`)
    await undone(setOf(removal))
    expect(await statusOf(`/log/${first}.json`)).toBe(200)
    const other = await worker.delete(`/log/${first}`)
    await worker.create('log', log({ name: 'Something else' }))
    expect((await undo(setOf(other))).body).toMatchObject({ status: 409, errors: [{ field: 'membership.group' }] })
  })

  it.each([
    ['/changes/nothing/undo', 404],
    ['/changes/nothing/undo?leave=all', 400],
    ['/changes/nothing/undo?force=1', 400],
  ])('refuses POST %s with %i', async (path, status) => {
    expect((await worker.send('POST', path)).status).toBe(status)
  })
})
