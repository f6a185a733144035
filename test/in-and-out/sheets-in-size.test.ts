import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { processorTime, turnsOf, turnsUntil } from '../harness/processor-time.ts'
import { rounds } from '../harness/rounds.ts'
import { sendSheet, taken } from './sheet-client.ts'

let farm: FarmUnderTest
let ada: Client

beforeAll(async () => {
  farm = await openFarm()
  ada = await farm.login('worker')
})

const rows = rounds({ short: 500, long: 10_000 })

/** Milliseconds of processor time for the whole sheet, and turns for each write beside it. */
const most = rounds({
  short: { all: 60_000, beside: turnsOf(30) },
  long: { all: 300_000, beside: turnsOf(200) },
})

/** How many turns the longest of the writes beside it waits. */
async function besideWriters<T>(work: Promise<T>): Promise<{ readonly done: T; readonly longest: number }> {
  let isDone = false
  let longest = 0
  const writing = (async () => {
    while (!isDone) {
      const answer = ada.post('/log', { name: 'Beside', type: 'farm_activity', timestamp: 1_600_000_000 })
      longest = Math.max(longest, await turnsUntil(answer))
      expect((await answer).status).toBe(201)
    }
  })()
  const done = await work.finally(() => {
    isDone = true
  })
  await writing
  return { done, longest }
}

describe('many rows', () => {
  let made: { uuid: string; id: string }[]

  test('are taken with little work, and others write on', async () => {
    const assets = Array.from({ length: 300 }, (_, nth) => `Herd ${nth}`)
    await taken(ada, '/farm_asset?type=group', `name\n${assets.join('\n')}`)
    const lines = Array.from(
      { length: rows },
      (_, nth) =>
        `Harvest ${nth},2024-05-0${1 + (nth % 9)}T08:00,yes,Herd ${nth % 300},Bed ${nth % 40},${nth}.5,kg,Crop ${nth % 30},"Note, ${nth}"`,
    )
    const sheet = `name,timestamp,done,asset,movement.area,quantity.value,quantity.unit,log_category,notes\n${lines.join('\n')}\n`
    const before = processorTime()
    const { done, longest } = await besideWriters(sendSheet(ada, '/log?type=farm_harvest', sheet))
    expect(done.status, done.text.slice(0, 1000)).toBe(200)
    const counts = { created: rows, changed: 0, unchanged: 0, fault: 0, done: rows, planned: 0 }
    expect(done.body.counts).toEqual(counts)
    made = done.body.rows
    expect(processorTime() - before).toBeLessThan(most.all)
    expect(longest).toBeLessThan(most.beside)
  }, 600_000)

  test('that change each a record, and then change nothing', async () => {
    const sheet = `uuid,name,done\n${made.map(({ uuid }, nth) => `${uuid},Renamed ${nth},no`).join('\n')}`
    const before = processorTime()
    const { done, longest } = await besideWriters(taken(ada, '/log', sheet))
    expect(done.counts).toEqual({ created: 0, changed: rows, unchanged: 0, fault: 0 })
    expect(processorTime() - before).toBeLessThan(most.all)
    expect(longest).toBeLessThan(most.beside)
    expect((await taken(ada, '/log', sheet)).counts).toEqual({ created: 0, changed: 0, unchanged: rows, fault: 0 })
  }, 600_000)
})
