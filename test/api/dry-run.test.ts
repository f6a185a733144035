import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { BothWays } from '../in-and-out/both-ways.ts'

let farm: FarmUnderTest
let client: Client
let writes: BothWays
let animal: Json
let log: Json

const resource = (type: string, attributes: Json, relationships: Json = {}) => ({
  data: { type, attributes, relationships },
})
const to = ({ type, id }: Json) => ({ type, id })

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(1_700_000_000)
  client = await farm.login()
  const type = (
    await client.sendJson(
      'POST',
      '/api/taxonomy_term/animal_type',
      resource('taxonomy_term--animal_type', { name: 'Sheep' }),
    )
  ).body
  const made = await client.sendJson(
    'POST',
    '/api/asset/animal',
    resource('asset--animal', { name: 'Dolly' }, { animal_type: { data: to(type.data) } }),
  )
  animal = made.body.data
  log = (await client.sendJson('POST', '/api/log/activity', resource('log--activity', { name: 'Sheared' }))).body.data
  writes = new BothWays(farm, client)
})

describe('a dry run under /api', () => {
  it('leaves id, links and numbers of what would be new out, and says the rest', async () => {
    const answer = await client.sendJson(
      'POST',
      '/api/log/activity?dry_run=1',
      resource('log--activity', { name: 'Tried' }),
    )
    expect(answer.status).toBe(201)
    expect(answer.headers.get('dry-run')).toBe('1')
    for (const name of ['location', 'etag', 'change-set']) expect(answer.headers.has(name), name).toBe(false)
    expect(answer.body.links).toBeUndefined()
    const { id, links, type, attributes } = answer.body.data
    expect([id, links, type, attributes.name, attributes.drupal_internal__id]).toEqual([
      undefined,
      undefined,
      'log--activity',
      'Tried',
      undefined,
    ])
    expect(answer.text).not.toMatch(/drupal_internal__(?:id|revision_id)/)
  })

  it('takes a UUID of the writer’s own and does not claim it', async () => {
    const id = randomUUID()
    const own = { data: { type: 'log--activity', id, attributes: { name: 'Own' } } }
    expect((await writes.send('POST', '/api/log/activity', own)).body.data.id).toBe(id)
    expect((await writes.send('POST', '/api/log/activity', own)).status).toBe(409)
  })

  it('says what a change of a relationship will say', async () => {
    const path = `/api/log/activity/${log.id}/relationships/asset`
    const data = [to(animal)]
    expect((await writes.send('POST', path, { data })).body.data).toMatchObject(data)
    expect((await writes.send('DELETE', path, { data })).body.data).toEqual([])
    expect((await writes.send('PATCH', path, { data })).status).toBe(200)
    expect(
      (await writes.send('PATCH', path, { data: [{ type: 'asset--animal', id: randomUUID() }] })).status,
    ).toBeGreaterThan(399)
    expect((await writes.send('PATCH', path, { data: [] })).body.data).toEqual([])
  })

  it('makes quantities of a log and leaves them nowhere', async () => {
    const made = (
      await client.sendJson(
        'POST',
        '/api/quantity/standard',
        resource('quantity--standard', { measure: 'weight', value: { decimal: '2' } }),
      )
    ).body.data
    const fresh = new BothWays(farm, client)
    const weighed = resource('log--observation', { name: 'Weighed' }, { quantity: { data: [to(made)] } })
    const answer = await fresh.send('POST', '/api/log/observation', weighed)
    expect(answer.body.data.relationships.quantity.data).toMatchObject([to(made)])
  })

  it('tries a file for a record to come, one of a record, and its renaming', async () => {
    const fresh = new BothWays(farm, client)
    const upload = (name: string) => ({
      headers: { 'content-type': 'application/octet-stream', 'content-disposition': `file; filename="${name}"` },
      body: new Uint8Array(Buffer.from(`of ${name}`)),
    })
    const kept = await fresh.write('POST', '/api/log/activity/file', upload('notes.txt'))
    expect(kept.status, kept.text).toBe(201)
    expect((await fresh.write('POST', `/api/log/activity/${log.id}/file`, upload('more.txt'))).status).toBe(200)
    expect((await fresh.write('POST', `/api/log/activity/${log.id}/image`, upload('more.txt'))).status).toBe(422)
    const { id } = kept.body.data
    const renamed = { data: { type: 'file--file', id, attributes: { filename: 'other.txt' } } }
    expect((await fresh.send('PATCH', `/api/file/file/${id}`, renamed)).status).toBe(200)
  })

  it('is asked for in the address of each part of /subrequests', async () => {
    const part = (requestId: string, uri: string) => ({
      requestId,
      uri,
      action: 'create',
      body: JSON.stringify(resource('log--activity', { name: requestId })),
      headers: { 'Content-Type': 'application/vnd.api+json' },
    })
    const blueprint = [part('dry', '/api/log/activity?dry_run=1'), part('wrong', '/api/log/activity?dryrun=1')]
    const answer = await client.sendJson('POST', '/subrequests?_format=json', blueprint)
    expect(answer.status, answer.text).toBe(207)
    expect(answer.body.dry.headers).toMatchObject({ 'dry-run': expect.anything() })
    expect(answer.text).toContain('dry_run=1')
    const names = (await client.get('/api/log/activity')).body.data.map(({ attributes }: Json) => attributes.name)
    expect(names).not.toContain('dry')
    expect(names).not.toContain('wrong')
  })
})
