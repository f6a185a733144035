import { expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'
import { copyRecord } from '../records/copied-record.ts'

test('spec 8 is silent: a page that would be too large to send is refused, and says what to do', async () => {
  const farm = await openFarm()
  const worker = await farm.login('worker')
  // Each line end is two bytes of the answer, so that thirty-four such logs are more than 64 MiB.
  const body = { name: 'Much', type: 'farm_activity', timestamp: 1, data: '\n\r'.repeat(500_000) }
  const id = await worker.create('log', body)
  await copyRecord(farm, { type: 'log', id, times: 33 })
  const all = await worker.get('/log.json')
  expect(all.status).toBe(400)
  expect(all.body.detail).toContain('limit')
  expect((await worker.get('/log.json?limit=10')).body.list).toHaveLength(10)
  expect((await worker.get('/log.json?full=0')).body.list).toHaveLength(34)
})
