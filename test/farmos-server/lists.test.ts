import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, Visitor, withToken } from './client.ts'
import { addAccount, addLog, newFarm } from './farms/adding.ts'
import type { FarmosServer } from './server.ts'

describe('lists of a farmOS 1.x', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeAll(async () => {
    const farm = newFarm('Lists')
    addAccount(farm, 'hanna', { id: 3 })
    for (let nth = 1; nth <= 230; nth += 1)
      addLog(farm, `Log ${nth}`, {
        bundle: nth % 2 === 0 ? 'farm_activity' : 'farm_observation',
        values: { log_category: [(nth % 8) + 1] },
      })
    server = await farmos(farm)
    visitor = await withToken(server)
  })

  const ids = ({ body }: Json): string[] => body.list.map(({ id }: Json) => id)

  it('have links without `.json`: what was asked, the ends, and the neighbours', async () => {
    const { body } = await visitor.get('/log.json?sort=id&limit=50&page=1')
    const at = (page: number) => `${server.address}/log?sort=id&limit=50&page=${page}`
    expect(Object.keys(body)).toEqual(['self', 'first', 'last', 'prev', 'next', 'list'])
    expect(body).toMatchObject({ self: at(1), first: at(0), last: at(4), prev: at(0), next: at(2) })
    expect((await visitor.get('/log.json')).body.self).toBe(`${server.address}/log`)
  })

  it('have at most 100 records a page, whatever is asked', async () => {
    for (const limit of ['', '&limit=100', '&limit=500', '&limit=0'])
      expect((await visitor.get(`/log.json?sort=id${limit}`)).body.list).toHaveLength(100)
  })

  it('have an empty last page where the pages are full, and 404 after it', async () => {
    expect((await visitor.get('/log.json?limit=46&page=4')).body.list).toHaveLength(46)
    expect((await visitor.get('/log.json?limit=46&page=5')).body.list).toEqual([])
    expect(await visitor.get('/log.json?limit=46&page=6')).toMatchObject({
      status: 404,
      text: '404 Not Found: Page doesn&#039;t exist.',
    })
  })

  it('come by type where no order is asked, and in the order that is asked', async () => {
    expect(ids(await visitor.get('/log.json?limit=3'))).toEqual(['2', '4', '6'])
    expect(ids(await visitor.get('/log.json?limit=3&sort=id'))).toEqual(['1', '2', '3'])
    expect(ids(await visitor.get('/log.json?limit=2&sort=changed&direction=desc'))).toEqual(['230', '229'])
  })

  it('cannot be sorted by what is no property: terms have `tid`, and no `changed`', async () => {
    expect((await visitor.get('/taxonomy_term.json?sort=tid')).status).toBe(200)
    for (const wrong of ['/taxonomy_term.json?sort=id', '/taxonomy_term.json?sort=changed', '/log.json?sort=bogus'])
      expect(await visitor.get(wrong)).toMatchObject({ status: 500, text: '500 Internal Server Error: Query failed.' })
  })

  it('are filtered by equality, by several ids, by type, by the name of a term', async () => {
    expect(ids(await visitor.get('/log.json?id[]=7&id[]=9&sort=id'))).toEqual(['7', '9'])
    expect((await visitor.get('/log.json?type=farm_activity&limit=99')).body.last).toContain('page=1')
    expect(ids(await visitor.get('/log.json?log_category=tillage&sort=id&limit=2'))).toEqual(['4', '12'])
    expect((await visitor.get('/log.json?log_category=tillage')).body.self).toContain('field_farm_log_category=')
    expect(ids(await visitor.get('/log.json?type=no_such_type'))).toEqual([])
    expect((await visitor.get('/taxonomy_term.json?bundle=farm_log_categories')).body.list).toHaveLength(8)
    expect((await visitor.get('/taxonomy_term.json?vocabulary=1&&page=0')).body.list).toHaveLength(8)
  })

  it('know no ranges: what is in brackets is ignored', async () => {
    const { timestamp } = (await visitor.get('/log/7.json')).body
    expect(ids(await visitor.get(`/log.json?timestamp[gt]=${timestamp}`))).toEqual(['7'])
  })

  it('refuse an unknown filter with 412, and break on others', async () => {
    expect(await visitor.get('/log.json?bogus=1')).toMatchObject({
      status: 412,
      text: '412 Precondition Failed: Not a valid filter: bogus',
    })
    expect((await visitor.get('/taxonomy_term.json?vid=1')).status).toBe(412)
    expect((await visitor.get('/farm_asset.json?with=uuid')).status).toBe(412)
    for (const broken of ['asset[]=1', 'quantity=1', 'movement=1'])
      expect((await visitor.get(`/log.json?${broken}`)).status, broken).toBe(500)
  })

  it('are short with `full=0`, and there the id is a number', async () => {
    expect((await visitor.get('/log.json?full=0&limit=1&sort=id')).body.list).toEqual([
      { uri: `${server.address}/log/1`, id: 1, resource: 'log' },
    ])
  })

  it('are refused to strangers in a line of text', async () => {
    expect(await new Visitor(server).get('/log.json')).toMatchObject({ status: 403, text: '403 Forbidden' })
  })
})

describe('what is missing at a farmOS 1.x', () => {
  it('is a page for a log and a user, and a nearly empty record for the others', async () => {
    const visitor = await withToken(await farmos())
    expect((await visitor.get('/log/999.json')).headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await visitor.get('/log/999.json')).status).toBe(404)
    expect((await visitor.get('/user/999.json')).status).toBe(404)
    expect((await visitor.get('/farm_asset/999.json')).body).toEqual({ location: [] })
    expect((await visitor.get('/taxonomy_term/999.json')).body).toEqual({ parent: [], parents_all: [] })
    expect((await visitor.get('/taxonomy_vocabulary/999.json')).body).toEqual([])
    expect((await visitor.get('/node.json')).status).toBe(403)
  })
})
