import { beforeAll, describe, expect, it } from 'vitest'
import { ask, word } from '../../src/storage/sql/fragment.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
let manager: Client
let worker: Client
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  manager = await farm.login('manager')
  worker = await farm.login('worker')
})

const setOf = (answer: Answer): string => answer.headers.get('change-set') ?? ''
const uidOf = async (client: Client): Promise<string> => (await client.read('/farm.json')).user.uid

describe('the changes of one request', () => {
  it('are one set, which every write answers with and which tells what was changed', async () => {
    farm.setClock(now)
    const made = await worker.post('/log', {
      name: 'Sow',
      type: 'farm_activity',
      timestamp: 100,
      log_category: [{ name: 'Sowing' }],
    })
    farm.setClock(null)
    const set = await manager.read(`/sets/${setOf(made)}.json`)
    const term = (await manager.read('/taxonomy_term.json?name=Sowing')).list[0]
    const uuid = expect.stringMatching(/^[\da-f-]{36}$/)
    expect(set).toEqual({
      id: setOf(made),
      who: { uid: await uidOf(worker), name: worker.login.name, blocked: false },
      at: String(now),
      client: 'farm',
      request: made.headers.get('x-request-id'),
      counts: { log: { create: 1 }, taxonomy_term: { create: 1 } },
      undoes: null,
      undone_by: null,
      entries: [
        { type: 'taxonomy_term', id: term.id, uuid, name: 'Sowing', verb: 'create', revision: 1 },
        { type: 'log', id: made.body.id, uuid, name: 'Sow', verb: 'create', revision: 1 },
      ],
      next: null,
    })
  })

  it('are counted by type and by verb, in the order of the alphabet', async () => {
    const mixed = async (nth: number) => {
      const posted = (path: string, body: Json) => ({ method: 'POST', path, body })
      const log = { name: `Log ${nth}`, type: 'farm_activity', timestamp: 100 }
      const [changed, removed] = [await worker.create('log', log), await worker.create('log', log)]
      const operations = [
        posted('/log', { ...log, log_category: [{ name: `Category ${nth}` }] }),
        posted('/farm_asset', { name: `Plough ${nth}`, type: 'equipment' }),
        { method: 'PUT', path: `/log/${changed}`, body: { name: 'New' } },
        { method: 'DELETE', path: `/log/${removed}` },
      ]
      return setOf(await worker.post('/batch', { operations }))
    }
    const ids: string[] = []
    for (let nth = 0; nth < 20; nth += 1) ids.push(await mixed(nth))
    // An engine that knows how many rows there are may group them by hash, in no order.
    await farm.installation.database.write((tx) => ask(tx, word('ANALYZE journal')))
    const { sets } = await manager.read('/sets.json?limit=100')
    const counts = sets.flatMap(({ id, counts }: Json) => (ids.includes(id) ? [JSON.stringify(counts)] : []))
    expect(counts).toEqual(
      ids.map(
        () => '{"farm_asset":{"create":1},"log":{"create":1,"remove":1,"update":1},"taxonomy_term":{"create":1}}',
      ),
    )
  })

  it('come in pages for a batch, and a removed record keeps its name', async () => {
    const body = (name: string) => ({ name, type: 'farm_activity', timestamp: 100 })
    const one = await worker.create('log', body('One'))
    const answer = await worker.post('/batch', {
      operations: [
        { method: 'POST', path: '/log', body: body('Two') },
        { method: 'PUT', path: `/log/${one}`, body: { name: 'One more' } },
        { method: 'DELETE', path: `/log/${one}` },
      ],
    })
    const path = `/sets/${setOf(answer)}.json`
    const first = await manager.read(`${path}?limit=2`)
    expect(first).toMatchObject({
      counts: { log: { create: 1, update: 1, remove: 1 } },
      entries: [
        { name: 'Two', verb: 'create' },
        { name: 'One more', verb: 'update', revision: 2 },
      ],
    })
    expect(await manager.read(`${path}?limit=2&after=${first.next}`)).toMatchObject({
      entries: [{ id: one, name: 'One more', verb: 'remove', revision: 3 }],
      next: null,
    })
  })

  it('are listed newest first, by user and by time, in pages', async () => {
    const own = await farm.login('worker')
    const uid = await uidOf(own)
    const made: string[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      farm.setClock(now + 100 + nth)
      made.unshift(setOf(await own.post('/log', { name: `Nth ${nth}`, type: 'farm_activity', timestamp: 100 })))
      await manager.create('log', { name: `Beside ${nth}`, type: 'farm_activity', timestamp: 100 })
    }
    farm.setClock(null)
    const listed = async (query: string): Promise<Json> => manager.read(`/sets.json?${query}`)
    const ids = async (query: string) => (await listed(query)).sets.map(({ id }: Json) => id)
    expect(await ids(`uid=${uid}`)).toEqual(made)
    expect(await ids(`uid=${uid}&from=${now + 101}&to=${now + 103}`)).toEqual(made.slice(2, 4))
    expect(await ids(`from=${now + 100}&to=${now + 105}`)).toHaveLength(10)
    const paged: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: Json = await listed(`uid=${uid}&limit=2${next === '' ? '' : `&before=${next}`}`)
      paged.push(...page.sets.map(({ id }: Json) => id))
      next = page.next
    }
    expect(paged).toEqual(made)
    expect(await ids('uid=987654')).toEqual([])
  })

  it('that change nothing are none', async () => {
    const id = await manager.create('log', { name: 'Same', type: 'farm_activity', timestamp: 100 })
    const again = await manager.put(`/log/${id}`, { name: 'Same' })
    expect((await manager.get(`/sets/${setOf(again)}.json`)).status).toBe(404)
  })

  it('are told of with a tag, and 304 as long as nothing comes', async () => {
    const tag = (await manager.get('/sets.json')).headers.get('etag') ?? ''
    expect((await manager.get('/sets.json', { 'if-none-match': tag })).status).toBe(304)
  })

  it.each([
    ['/sets.json?uid=x', 400],
    ['/sets.json?from=yesterday', 400],
    ['/sets.json?before=nothing', 400],
    ['/sets.json?limit=101', 400],
    ['/sets.json?user=1', 400],
    ['/sets/nothing.json', 404],
  ])('refuses %s with %i', async (path, status) => {
    expect((await manager.get(path)).status).toBe(status)
  })

  it('does not find a set of what is older than sets, and says so', async () => {
    expect((await manager.get('/sets/0.json')).body.detail).toContain('before this farm kept sets')
  })
})
