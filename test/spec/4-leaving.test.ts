import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000
const day = 86_400

let farm: FarmUnderTest
let client: Client
let [barn, herd, cow] = ['', '', '']

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login('worker')
  barn = await client.create('taxonomy_term', { name: 'Barn', vocabulary: 'farm_areas' })
  herd = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  cow = await client.create('farm_asset', { name: 'Elsa', type: 'animal', animal_type: { name: 'Cow' } })
  const here = { membership: { group: [{ id: herd }] }, movement: { area: [{ id: barn }] } }
  await client.create('log', log({ timestamp: now - 10 * day, ...here }))
})

const log = (more: object): Json => ({ name: 'Log', type: 'farm_activity', done: 1, asset: [{ id: cow }], ...more })
const leaving = { timestamp: now - 5 * day, membership: { leaves: true }, movement: { leaves: true } }

const cowAt = async (time: number) => {
  const { group, location } = await client.read(`/farm_asset/${cow}.json?with=group&as_of=${time}`)
  return [group.map((one: Json) => one.id), location.map((one: Json) => one.id)]
}

describe('4 leaving every group and every place', () => {
  it('is taken in a log and shown on request, in lists, in the feed and in the history', async () => {
    const { next } = await client.read('/changes')
    const made = await client.post('/log?with=leaves', log(leaving))
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({ membership: { group: [], leaves: true }, movement: { area: [], leaves: true } })
    const { id } = made.body
    const usual = await client.read(`/log/${id}.json`)
    expect([usual.membership, usual.movement]).toEqual([{ group: [] }, { area: [], geometry: null }])
    const [listed] = (await client.read(`/log.json?id=${id}&with=leaves`)).list
    expect([listed.membership.leaves, listed.movement.leaves]).toEqual([true, true])
    const [change] = (await client.read(`/changes?since=${next}`)).changes
    expect(change.record).toMatchObject({ membership: { leaves: true }, movement: { leaves: true } })
    const { revisions } = await client.read(`/log/${id}/history.json`)
    expect(revisions[0].fields.membership.after).toEqual({ group: [], leaves: true })
    expect((await client.get(`/log/${id}.xml?with=leaves`)).text).toContain('<leaves>true</leaves>')
    expect((await client.get(`/log.csv?id=${id}&with=leaves`)).text).toMatch(/,membership.leaves,.*\r?\n.*,yes,/)
    expect((await client.read('/log.json?with=leaves')).list[0].membership).toEqual({ group: [{ ...anyHerd() }] })
    await client.delete(`/log/${id}`)
  })

  it('counts from the time of the log on, and is undone with it', async () => {
    const made = await client.post('/log', log(leaving))
    const both = [[herd], [barn]]
    expect([await cowAt(now - 6 * day), await cowAt(now)]).toEqual([both, [[], []]])
    expect((await client.read(`/farm_asset/${herd}.json?with=members`)).members).toEqual([])
    const undone = await client.send('POST', `/changes/${made.headers.get('change-set')}/undo`)
    expect(undone.status, undone.text).toBe(200)
    expect(await cowAt(now)).toEqual(both)
  })

  it('is sent back unchanged, kept by who does not see it, and taken back by a no', async () => {
    const id = await client.create('log', log(leaving))
    const shown = async () => client.read(`/log/${id}.json?with=leaves,version`)
    const before = await shown()
    expect((await client.put(`/log/${id}`, before)).status).toBe(200)
    expect((await client.put(`/log/${id}`, await client.read(`/log/${id}.json`))).status).toBe(200)
    expect(await shown()).toEqual(before)
    const answer = await client.put(`/log/${id}?with=leaves`, { membership: { group: [], leaves: false } })
    expect([answer.body.membership, answer.body.movement.leaves]).toEqual([{ group: [] }, true])
    await client.put(`/log/${id}`, { movement: { leaves: '0' } })
    expect(await cowAt(now)).toEqual([[herd], [barn]])
    await client.delete(`/log/${id}`)
  })

  it('is refused beside a group or a place, and alone in a batch it is one operation', async () => {
    const refused = await client.post(
      '/log',
      log({ timestamp: now, membership: { group: [{ id: herd }], leaves: true } }),
    )
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { field: 'membership.leaves', message: 'counts only alone: leave out group, or this' },
    ])
    const operations = [{ method: 'POST', path: '/log', body: log({ ...leaving, movement: undefined }) }]
    expect((await client.post('/batch', { operations })).status).toBe(200)
    expect(await cowAt(now)).toEqual([[], [barn]])
  })
})

const anyHerd = () => ({ uri: expect.any(String), id: herd, resource: 'farm_asset' })
