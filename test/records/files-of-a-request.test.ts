import { beforeAll, describe, expect, test } from 'vitest'
import { textKey } from '../../src/fields/key.ts'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { filesRunBy } from './files-of-a-request.ts'

let farm: FarmUnderTest
let client: Client
let asset: string
let area: string

beforeAll(async () => {
  farm = await openFarm({ engine: 'sqlite' })
  client = await farm.login('worker')
  asset = await client.create('farm_asset', { name: 'Kale', type: 'planting', crop: [{ name: 'Kale' }] })
  area = await client.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas' })
})

const harvest = (nth: number) => ({
  name: `Kale ${nth}`,
  type: 'farm_harvest',
  timestamp: '1715000000',
  done: '1',
  asset: [{ id: asset }],
  area: [{ id: area }],
  quantity: [{ measure: 'weight', value: '12.5', unit: { name: 'kg' } }],
  notes: { value: 'two crates' },
})

const row = (nth: number) =>
  `name,timestamp,done,asset,quantity.value,quantity.unit\nKale ${nth},2024-05-01T08:00,yes,Kale,12.5,kg\n`

interface SentRequest {
  readonly path: string
  readonly type?: string
  readonly body?: string
}

/** Each request differs from the one before it, whose answer may be kept. */
const budgets: readonly (readonly [name: string, most: number, request: (nth: number) => SentRequest])[] = [
  ['log', 70, (nth) => ({ path: '/log', type: 'application/json', body: JSON.stringify(harvest(nth)) })],
  ['list of logs', 55, (nth) => ({ path: `/log.json?limit=${50 + nth}` })],
  [
    'list of /api with what it includes',
    80,
    (nth) => ({ path: `/api/log/harvest?include=asset,quantity&page[limit]=${40 + nth}` }),
  ],
  ['sheet of one row', 104, (nth) => ({ path: '/log?type=farm_harvest', type: 'text/csv', body: row(nth) })],
]

async function send({ path, type, body }: SentRequest): Promise<void> {
  const { length } = farm.lines
  const answer = await fetch(farm.base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${client.login.token}`, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
  await expect.poll(() => farm.lines.length).toBeGreaterThan(length)
}

describe('a request runs few source files', () => {
  test.each(budgets)('the second %s runs at most %i', async (_name, most, request) => {
    await send(request(1))
    const files = await filesRunBy(() => send(request(2)))
    expect(files).toContain('src/doors/http/server.ts')
    expect(files.length, `${files.length} files:\n${files.join('\n')}`).toBeLessThanOrEqual(most)
  })

  test('which are those whose functions run, and no others', async () => {
    expect(await filesRunBy(async () => textKey('Kale'))).toEqual(['src/fields/key.ts'])
    expect(await filesRunBy(async () => {})).toEqual([])
  })
})
