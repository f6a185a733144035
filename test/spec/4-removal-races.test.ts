import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const movement = { name: 'L', type: 'farm_activity', timestamp: '1' }

describe('4 removals that arrive together are judged in the order of their arrival', () => {
  const newer = async (path: string, attributes: Json, relationships: Json = {}): Promise<string> => {
    const answer = await client.send('POST', `/api/${path}`, {
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: path.replace('/', '--'), attributes, relationships } }),
    })
    expect(answer, answer.text).toMatchObject({ status: 201 })
    return answer.body.data.id
  }
  const to = (type: string, id: string) => ({ data: [{ type, id }] })

  /** One connection keeps the order, and the server begins with each request before it has answered the last. */
  async function deleteTogether(paths: readonly string[]): Promise<string[]> {
    const { port } = new URL(farm.base)
    const line = connect(Number(port), '127.0.0.1')
    const authorization = `Bearer ${client.login.token}`
    const last = paths.length - 1
    for (const [nth, path] of paths.entries()) {
      const ending = nth === last ? 'Connection: close\r\n' : ''
      line.write(`DELETE ${path} HTTP/1.1\r\nHost: farm\r\nAuthorization: ${authorization}\r\n${ending}\r\n`)
    }
    const answers = await text(line)
    return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
  }

  it('a log, its quantity and its place, 100 times under /api', async () => {
    for (let round = 0; round < 100; round += 1) {
      const place = await newer('asset/land', { name: 'Bed', status: 'active', land_type: 'bed' })
      const quantity = await newer('quantity/standard', { value: { decimal: '3' } })
      const harvest = await newer(
        'log/harvest',
        { name: 'Kale', timestamp: '2026-05-01T08:00:00+00:00', status: 'done' },
        { location: to('asset--land', place), quantity: to('quantity--standard', quantity) },
      )
      const paths = [`log/harvest/${harvest}`, `quantity/standard/${quantity}`, `asset/land/${place}`]
      expect(await deleteTogether(paths.map((path) => `/api/${path}`))).toEqual(['204', '204', '204'])
    }
  })

  it('a log, its asset and its area, 100 times in the record interface', async () => {
    for (let round = 0; round < 100; round += 1) {
      const area = await client.create('taxonomy_term', { name: 'T', vocabulary: 'farm_areas' })
      const cow = await client.create('farm_asset', { name: 'A', type: 'group' })
      const move = await client.create('log', { ...movement, asset: [{ id: cow }], movement: { area: [{ id: area }] } })
      const paths = [`/log/${move}`, `/farm_asset/${cow}`, `/taxonomy_term/${area}`]
      expect(await deleteTogether(paths)).toEqual(['200', '200', '200'])
    }
  })

  it('a quantity and what it counts, while their log stays', async () => {
    for (let round = 0; round < 20; round += 1) {
      const seed = await newer('asset/equipment', { name: 'Drill', status: 'active' })
      const counted = { inventory_asset: { data: { type: 'asset--equipment', id: seed } } }
      const adjustment = { value: { decimal: '3' }, inventory_adjustment: 'reset' }
      const quantity = await newer('quantity/standard', adjustment, counted)
      const times = { name: 'Count', timestamp: '2026-05-01T08:00:00+00:00', status: 'done' }
      await newer('log/observation', times, { quantity: to('quantity--standard', quantity) })
      const paths = [`/api/quantity/standard/${quantity}`, `/api/asset/equipment/${seed}`]
      expect(await deleteTogether(paths)).toEqual(['204', '204'])
    }
  })
})
