import { beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, type Visitor, withToken } from './client.ts'
import type { Farm } from './data/farm.ts'
import { addAccount, addLog, newFarm } from './farms/adding.ts'
import type { FarmosServer } from './server.ts'

function thirtyLogs(): Farm {
  const farm = newFarm('Busy')
  addAccount(farm, 'hanna', { id: 3 })
  for (let nth = 1; nth <= 30; nth += 1)
    addLog(farm, `Log ${nth}`, { bundle: nth % 2 === 0 ? 'farm_activity' : 'farm_harvest' })
  return farm
}

describe('a farm that is written to while it is walked', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeEach(async () => {
    server = await farmos(thirtyLogs())
    visitor = await withToken(server)
  })

  async function walk(sort: string): Promise<number[]> {
    const found: number[] = []
    for (let page = 0; ; page += 1) {
      const { body } = await visitor.get(`/log.json?limit=10&page=${page}${sort}`)
      found.push(...body.list.map(({ id }: Json) => Number(id)))
      if (!('next' in body)) return found
    }
  }
  const onSecondPage = { path: /^\/log\.json.*page=1/ }
  const remove = (id: number) => (farm: Farm) => {
    farm.logs = farm.logs.filter((log) => log.id !== id)
  }
  const touch =
    (id: number) =>
    ({ logs }: Farm) => {
      for (const log of logs) if (log.id === id) log.changed = 2_000_000_000
    }
  const twice = (found: number[]) => found.filter((id, index) => found.indexOf(id) !== index)
  const missed = (found: number[]) => server.farm.logs.map(({ id }) => id).filter((id) => !found.includes(id))

  it('shows one twice that a new one has pushed to the next page', async () => {
    server.meanwhile({ path: /^\/log\.json.*page=2/ }, (farm) => addLog(farm, 'New', { bundle: 'farm_activity' }))
    expect(twice(await walk(''))).toEqual([9])
  })

  it('hides one that moved up when another was removed, in any order', async () => {
    server.meanwhile(onSecondPage, remove(4))
    expect(missed(await walk('&sort=id'))).toEqual([11])
  })

  it('hides one by `changed` when a former one was touched, and shows that one twice', async () => {
    server.meanwhile(onSecondPage, touch(4))
    const found = await walk('&sort=changed')
    expect([missed(found), twice(found)]).toEqual([[11], [4]])
  })

  it('has a log in the list that is gone when it is asked for', async () => {
    server.meanwhile({ path: /^\/log\/7\.json/ }, remove(7))
    expect(await walk('&sort=id')).toContain(7)
    expect((await visitor.get('/log/7.json')).status).toBe(404)
  })

  it('has rows of the same second in another order on every second page, if the database likes', async () => {
    const farm = thirtyLogs()
    farm.logs.splice(28)
    for (const log of farm.logs) log.changed = 1_600_000_000
    server = await farmos(farm, { ties: 'turned round on every second page' })
    visitor = await withToken(server)
    const found = await walk('&sort=changed')
    expect([missed(found), twice(found)]).toEqual([
      [19, 20],
      [10, 9],
    ])
  })
})
