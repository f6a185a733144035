import { expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, withToken } from './client.ts'
import { grownFarm } from './farms/grown-farm.ts'

it('a grown farm of 5,000 logs is the same every time, and can be walked', async () => {
  const farm = grownFarm(5_000)
  expect(JSON.stringify(grownFarm(5_000).logs)).toBe(JSON.stringify(farm.logs))
  const visitor = await withToken(await farmos(farm))
  const found = new Set<string>()
  for (let page = 0; page <= 50; page += 1)
    for (const { id } of (await visitor.get(`/log.json?sort=id&page=${page}`)).body.list as Json[]) found.add(id)
  expect(found.size).toBe(5_000)
  expect((await visitor.get('/taxonomy_term.json?sort=tid')).body.list).toHaveLength(74)
  expect((await visitor.get('/farm_asset.json?type=planting')).body.last).toContain('page=2')
})
