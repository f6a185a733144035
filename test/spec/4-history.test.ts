import { beforeAll, describe, expect, it } from 'vitest'
import { removeAccount } from '../../src/access/accounts.ts'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
let manager: Client
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  manager = await farm.login('manager')
})

const historyOf = (type: string, id: string, query = ''): Promise<Json> =>
  manager.read(`/${type}/${id}/history.json${query}`)

describe('the history of a record', () => {
  it('tells every revision, newest first: who, when, by which request, and each field before and after', async () => {
    farm.setClock(now)
    const made = await manager.post('/log', { name: 'Mow', type: 'farm_activity', timestamp: 100, done: 0 })
    farm.setClock(now + 60)
    const changed = await manager.put(`/log/${made.body.id}`, { name: 'Mow the meadow', done: 1 })
    farm.setClock(null)
    const { revisions, ...rest } = await historyOf('log', made.body.id)
    expect(rest).toEqual({ type: 'log', id: made.body.id, uuid: expect.stringMatching(/^[\da-f-]{36}$/), next: null })
    const who = { uid: expect.stringMatching(/^\d+$/), name: manager.login.name, blocked: false }
    expect(revisions).toEqual([
      {
        revision: 2,
        verb: 'update',
        at: String(now + 60),
        who,
        client: 'farm',
        request: changed.headers.get('x-request-id'),
        set: changed.headers.get('change-set'),
        fields: { name: { before: 'Mow', after: 'Mow the meadow' }, done: { before: '0', after: '1' } },
      },
      {
        revision: 1,
        verb: 'create',
        at: String(now),
        who,
        client: 'farm',
        request: made.headers.get('x-request-id'),
        set: made.headers.get('change-set'),
        fields: {
          name: { before: null, after: 'Mow' },
          timestamp: { before: null, after: '100' },
          done: { before: null, after: '0' },
          log_owner: { before: null, after: [expect.objectContaining({ resource: 'user' })] },
        },
      },
    ])
  })

  it('spells references and terms as the record does, also a term that has gone since by its last name', async () => {
    const area = await manager.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas', area_type: 'field' })
    const id = await manager.create('log', {
      name: 'Move',
      type: 'farm_activity',
      timestamp: 100,
      log_category: [{ name: 'Errands' }],
      movement: { area: [{ id: area }] },
    })
    await manager.put(`/log/${id}`, { log_category: [], movement: { area: [] } })
    const category = (await manager.read('/taxonomy_term.json?name=Errands')).list[0]
    await manager.delete(`/taxonomy_term/${category.id}`)
    const [latest, first] = (await historyOf('log', id)).revisions
    expect(latest.fields.movement.before.area).toMatchObject([{ id: area, resource: 'taxonomy_term', name: 'North' }])
    expect(latest.fields.movement.after.area).toEqual([])
    expect(latest.fields.log_category).toEqual({
      before: [{ uri: expect.any(String), id: category.id, resource: 'taxonomy_term', name: 'Errands' }],
      after: [],
    })
    expect(first.fields.log_category.after).toEqual(latest.fields.log_category.before)
  })

  it('tells files by their addresses, and those that have gone as no longer there', async () => {
    const id = await manager.create('log', { name: 'Photo', type: 'farm_observation', timestamp: 100, images: [dot] })
    const [address] = (await manager.read(`/log/${id}.json?files=link`)).images
    const [first] = (await historyOf('log', id)).revisions
    expect(first.fields.images).toEqual({ before: null, after: [address] })
    await manager.put(`/log/${id}`, { images: [] })
    const [latest] = (await historyOf('log', id)).revisions
    expect(latest.fields.images).toEqual({ before: ['no longer there'], after: [] })
  })

  it('comes in pages', async () => {
    const id = await manager.create('farm_asset', { name: 'Tractor 0', type: 'equipment' })
    for (let nth = 1; nth < 5; nth += 1) await manager.put(`/farm_asset/${id}`, { name: `Tractor ${nth}` })
    const seen: number[] = []
    let query = '?limit=2'
    for (;;) {
      const { revisions, next } = await historyOf('farm_asset', id, query)
      expect(revisions.length).toBeLessThanOrEqual(2)
      for (const { revision, fields } of revisions) {
        seen.push(revision)
        const before = revision === 1 ? null : `Tractor ${revision - 2}`
        expect(fields.name).toEqual({ before, after: `Tractor ${revision - 1}` })
      }
      if (next === null) break
      query = `?limit=2&before=${next}`
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
  })

  it('is there of a record that was removed, too; a removal changes no field', async () => {
    const id = await manager.create('taxonomy_term', { name: 'Oats', vocabulary: 'farm_crops' })
    const { uuid } = await historyOf('taxonomy_term', id)
    await manager.delete(`/taxonomy_term/${id}`)
    const after = await historyOf('taxonomy_term', id)
    expect(after).toMatchObject({ uuid, revisions: [{ revision: 2, verb: 'remove', fields: {} }, { revision: 1 }] })
    expect(await historyOf('taxonomy_term', id, '?limit=1')).toMatchObject({ uuid, revisions: [{ fields: {} }] })
  })

  it('tells those who may not read the trash only that a removed record was made, changed and removed, and when', async () => {
    farm.setClock(now)
    const id = await manager.create('log', { name: 'Mow', type: 'farm_activity', timestamp: 100 })
    await manager.put(`/log/${id}`, { notes: 'By hand' })
    const viewer = await farm.login('viewer')
    const whole = await viewer.read(`/log/${id}/history.json`)
    expect(whole.revisions[0].fields).toHaveProperty('notes')
    await manager.delete(`/log/${id}`)
    farm.setClock(null)
    const withheld = { at: String(now), who: null, client: null, request: null, set: null, fields: null }
    expect(await viewer.read(`/log/${id}/history.json`)).toEqual({
      type: 'log',
      id,
      uuid: whole.uuid,
      revisions: [
        { revision: 3, verb: 'remove', ...withheld },
        { revision: 2, verb: 'update', ...withheld },
        { revision: 1, verb: 'create', ...withheld },
      ],
      next: null,
    })
    await manager.post(`/trash/${whole.uuid}/restore`, {})
    expect((await viewer.read(`/log/${id}/history.json`)).revisions.slice(2)).toEqual(whole.revisions)
  })

  it('names an account that was removed as it is kept', async () => {
    const worker = await farm.login('worker')
    const id = await worker.create('log', { name: 'Weed', type: 'farm_activity', timestamp: 100 })
    await removeAccount(farm.installation, worker.login.name)
    expect((await historyOf('log', id)).revisions[0].who).toMatchObject({ name: worker.login.name, blocked: true })
  })

  it('names nobody for records that the farm itself brought along', async () => {
    const [unit] = (await manager.read('/taxonomy_term.json?bundle=farm_log_categories')).list
    expect((await historyOf('taxonomy_term', unit.id)).revisions.at(-1)).toMatchObject({
      who: { uid: '0', name: null, blocked: false },
      client: null,
      request: null,
    })
  })

  it('is 304 for whoever has it, and another after a change', async () => {
    const id = await manager.create('log', { name: 'Mulch', type: 'farm_activity', timestamp: 100 })
    const path = `/log/${id}/history.json`
    const tag = (await manager.get(path)).headers.get('etag') ?? ''
    expect((await manager.get(path, { 'if-none-match': tag })).status).toBe(304)
    await manager.put(`/log/${id}`, { name: 'Mulch again' })
    expect((await manager.get(path, { 'if-none-match': tag })).status).toBe(200)
  })

  it.each([
    ['/log/999999/history.json', 404],
    ['/log/x/history.json', 404],
    ['/log/1/history.json?limit=0', 400],
    ['/log/1/history.json?limit=201', 400],
    ['/log/1/history.json?before=x', 400],
    ['/log/1/history.json?page=1', 400],
  ])('refuses %s with %i', async (path, status) => {
    expect((await manager.get(path)).status).toBe(status)
  })
})
