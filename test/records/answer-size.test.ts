import type { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { openRecords } from '../../src/records/records.ts'
import { Templates } from '../../src/wire-1x/record-template.ts'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { listeningTo } from '../rules/overheard.ts'
import { copyRecord } from './copied-record.ts'

test('spec 8 is silent: what is too large for one page is not read to its end before it is refused', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const worker = await farm.login('worker')
  const body = { name: 'Much', type: 'farm_activity', timestamp: 1, data: '\n\r'.repeat(500_000) }
  const id = await worker.create('log', body)
  const ids = [Number(id), ...(await copyRecord(farm, { type: 'log', id, times: 64 }))]
  const templates = new Templates({ ...farm.installation, ...(await openRecords(farm.installation)) })
  const asked: CompiledQuery[] = []
  await farm.installation.database.write(async (tx) => {
    await expect(templates.of(listeningTo(tx, asked), 'log', { ids })).rejects.toThrow('64 MiB')
  })
  const read = asked.filter(({ sql }) => sql.includes('select * from "log"')).map(({ parameters }) => parameters.length)
  expect(read).toEqual([32, 32])
})

test('2.5 a map that would be too large to send is refused, and says what to do', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const worker = await farm.login('worker')
  const point = (n: number) => (n / 1000 + 0.123456789).toFixed(9)
  const geom = `LINESTRING (${Array.from({ length: 36_000 }, (_, n) => `${point(n)} ${point(n)}`).join(', ')})`
  const area = { vocabulary: 'farm_areas', geofield: [{ geom }] }
  for (const kind of ['field', 'bed']) {
    const id = await worker.create('taxonomy_term', { ...area, name: kind, area_type: kind })
    await copyRecord(farm, { type: 'term', id, times: 39 })
  }
  const all = await worker.get('/farm/areas/geojson')
  expect(all.status).toBe(400)
  expect(all.body.detail).toContain('/farm/areas/geojson/field')
  // Without the client, which would hold each of its millions of numbers against the description.
  const beds = await fetch(`${farm.base}/farm/areas/geojson/bed`, {
    headers: { authorization: `Bearer ${worker.login.token}` },
  })
  expect(beds.status).toBe(200)
  expect(((await beds.json()) as Json).features).toHaveLength(40)
})
