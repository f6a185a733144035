import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, it } from 'vitest'
import { mebibyte } from '../../src/fields/byte-size.ts'
import type { Client } from '../harness/client.ts'
import { recordsOfCsv } from '../harness/csv.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const logs = 10_000
const notes = 'What was seen on the way, at length. '.repeat(50)

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login('manager')
  const cow = await client.create('farm_asset', { name: 'Rosa', type: 'animal', animal_type: { name: 'Cow' } })
  for (let start = 0; start < logs; start += 800) {
    const operations = Array.from({ length: Math.min(800, logs - start) }, (_, index) => ({
      method: 'POST',
      path: '/log',
      body: {
        name: `Seen ${start + index}`,
        type: 'farm_observation',
        timestamp: String(1_600_000_000 + start + index),
        asset: [{ id: cow }],
        notes,
      },
    }))
    const { status, text } = await client.post('/batch', { operations })
    expect(status, text.slice(0, 300)).toBe(200)
  }
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Reads an answer and forgets it, noting its length. */
async function lengthOf(path: string): Promise<number> {
  const response = await client.stream(path, {})
  expect(response.status).toBe(200)
  let length = 0
  for await (const piece of response.body ?? []) length += piece.length
  expect(length).toBe(Number(response.headers.get('content-length')))
  return length
}

/** What is held outside of the heap. */
function held(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

it('10,000 logs are one sheet, whole and in order', async () => {
  const { status, text } = await client.get('/log.csv?fields=id,name,asset')
  expect(status).toBe(200)
  const rows = recordsOfCsv(text)
  expect(rows).toHaveLength(logs)
  expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: logs }, (_, index) => `Seen ${index}`))
  expect(new Set(rows.map(({ asset }) => asset))).toEqual(new Set(['Rosa']))
})

it('a sheet of many mebibytes is not held in memory', async () => {
  const before = held()
  const response = await client.stream('/log.csv', {})
  // Its length is known: it is there as a whole.
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(18 * mebibyte)
  // What is garbage by now may be swept a little later.
  await expect.poll(() => held() - before).toBeLessThan(10 * mebibyte)
  await response.body?.cancel()
})

it('others are answered while sheets are put together, and sheets wait for one another', async () => {
  let areThere = false
  const sheets = Promise.all(Array.from({ length: 4 }, () => lengthOf('/log.csv?fields=name,notes'))).finally(() => {
    areThere = true
  })
  let answered = 0
  for (; !areThere; answered += 1) expect(await client.get('/log.json?limit=1')).toMatchObject({ status: 200 })
  expect(new Set(await sheets).size).toBe(1)
  expect(answered).toBeGreaterThan(20)
})

it('four accounts that dawdle keep a fifth from nothing', async () => {
  const [fifth, ...dawdlers] = await Promise.all(Array.from({ length: 5 }, () => farm.login('viewer')))
  const open: Response[] = []
  const sheetsOf = (one: Client) =>
    ['/log.csv', '/log.csv?head=label', '/log.csv?sep=tab'].map(async (path) => open.push(await one.stream(path, {})))
  const asked = Promise.all(dawdlers.flatMap(sheetsOf))
  await fifth?.get('/log.json?limit=1')
  expect(await fifth?.get('/log.csv?fields=name')).toMatchObject({ status: 200 })
  // It came last of thirteen: each account has had one sheet at most before it, or a second one that was quick.
  expect(open.length).toBeLessThanOrEqual(8)
  await asked
  // All are there, and nobody reads them.
  expect(await fifth?.get('/log.geojson')).toMatchObject({ status: 200 })
  for (const { body } of open) await body?.cancel()
})

it('a sheet is of one moment, whatever is written meanwhile', async () => {
  const answer = client.get('/log.csv?fields=id,name&sort=id&direction=DESC')
  const rename = (id: string) => client.put(`/log/${id}`, { name: 'Renamed' })
  const ids = await client.ids('/log.json?limit=20')
  for (const id of ids) await rename(id)
  const rows = recordsOfCsv((await answer).text)
  const renamed = rows.slice(-ids.length).filter(({ name }) => name === 'Renamed').length
  // Those that were renamed before it was begun are; of the others none.
  const names = rows
    .slice(-ids.length)
    .map(({ name }) => name)
    .toReversed()
  expect(names.slice(0, renamed).every((name) => name === 'Renamed')).toBe(true)
  expect(rows).toHaveLength(logs)
})

it('who goes away before a sheet is there leaves nothing behind', async () => {
  const stop = new AbortController()
  const answer = client.stream('/log.csv', { signal: stop.signal })
  setTimeout(() => stop.abort(), 50)
  await expect(answer).rejects.toThrow()
  expect(await client.get('/log.csv?name=Seen 9999&fields=name')).toMatchObject({ status: 200 })
})
