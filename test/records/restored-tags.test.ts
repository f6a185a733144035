import { expect, test } from 'vitest'
import { emptyPlace } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'

test('tags from before a restore are no longer known: it may have other content under the same numbers', async () => {
  const place = await emptyPlace('sqlite')
  const before = await openFarm({ engine: 'sqlite', place })
  const worker = await before.login('worker')
  const id = await worker.create('log', { name: 'Before', type: 'farm_activity', timestamp: 1 })
  const etag = (await worker.get(`/log/${id}.json`)).headers.get('etag') ?? ''
  // What a restore leaves behind: everything but the farm's edition.
  await before.installation.database.write((tx) => tx.deleteFrom('edition').execute())
  await before.close()
  const after = await openFarm({ engine: 'sqlite', place })
  const again = await after.login('worker')
  expect((await again.get(`/log/${id}.json`, { 'if-none-match': etag })).status).toBe(200)
  const change = await again.send('PUT', `/log/${id}`, {
    headers: { 'content-type': 'application/json', 'if-match': etag },
    body: '{"name":"After"}',
  })
  expect(change.status).toBe(412)
})
