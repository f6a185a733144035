import { expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'

test('spec 8 is silent: a page that would be too large to send is refused, and says what to do', async () => {
  const farm = await openFarm()
  const worker = await farm.login('worker')
  const body = { name: 'Much', type: 'farm_activity', timestamp: 1, data: 'x'.repeat(1_048_576) }
  for (let count = 0; count < 65; count += 1) await worker.create('log', body)
  const all = await worker.get('/log.json')
  expect(all.status).toBe(400)
  expect(all.body.detail).toContain('limit')
  expect((await worker.get('/log.json?limit=10')).body.list).toHaveLength(10)
  expect((await worker.get('/log.json?full=0')).body.list).toHaveLength(65)
})
