import { beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { Listener } from './listener.ts'

const log = { type: 'farm_activity', name: 'At one of them', timestamp: 1_700_000_000 }

describe('three servers on one PostgreSQL database', () => {
  let nodes: readonly Client[]

  beforeAll(async () => {
    const first = await openFarm({ engine: 'postgres' })
    const place = first.installation.settings
    const farms = [first, await openFarm({ place }), await openFarm({ place })]
    const { login } = await first.login()
    nodes = farms.map(({ base }) => new Client(base, { authorization: `Bearer ${login.token}` }, login))
  })

  test('what one has written is in the next answer of each, also where an older answer is remembered', async () => {
    for (const [turn, writer] of nodes.entries()) {
      const id = await writer.create('log', log)
      const paths = [`/log/${id}.json`, '/log.json', '/log.json?type=farm_activity']
      for (const node of nodes) for (const path of paths) expect((await node.get(path)).status).toBe(200)
      const name = `Changed in turn ${turn}`
      expect((await writer.put(`/log/${id}`, { name })).status).toBe(200)
      for (const node of nodes) for (const path of paths) expect((await node.get(path)).text).toContain(name)
    }
  })

  test('listeners at each hear of a change at any, and every feed has the same order', async () => {
    const [next] = await Promise.all(nodes.map(async (node) => (await node.read('/changes')).next))
    const listeners = await Promise.all(nodes.map((node) => Listener.open(node, '/changes')))
    for (const node of nodes) await node.create('log', log)
    for (const listener of listeners) await listener.hears(nodes.length)
    const feeds = await Promise.all(nodes.map((node) => node.read(`/changes?since=${next}&records=0`)))
    const ids = feeds.map(({ changes }) => changes.map(({ id }: { readonly id: string }) => id))
    expect(ids[0]).toHaveLength(nodes.length)
    for (const own of ids) expect(own).toEqual(ids[0])
    for (const listener of listeners) await listener.close()
  })

  test('a token that was revoked at one is refused by each', async () => {
    const [first] = nodes
    const form = new URLSearchParams({ token: first?.login.token ?? '', client_id: 'farm' })
    for (const node of nodes) expect((await node.get('/log.json')).status).toBe(200)
    const revoked = await nodes[1]?.send('POST', '/oauth/revoke', { body: form })
    expect(revoked?.status).toBe(200)
    for (const node of nodes) expect((await node.get('/log.json')).status).toBe(403)
  })
})
