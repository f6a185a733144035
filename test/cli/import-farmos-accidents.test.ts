import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { farmos, withToken } from '../farmos-server/client.ts'
import { type Accident, allAccidents, withAccidents } from '../farmos-server/farms/accidents.ts'
import type { FarmosServer } from '../farmos-server/server.ts'
import type { Json } from '../harness/client.ts'
import type { Outcome } from './built-furrow.ts'
import { emptyFarm, listedBy, moveIn, type OpenedFarm, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { differences } from './farmos/same-records.ts'

/** A file that lies elsewhere is lost, and says so; all else is at most changed. */
const unlost = allAccidents.filter((accident) => accident !== 'fileElsewhere')

const kindNames: Readonly<Record<string, string>> = { farm_asset: 'asset', taxonomy_term: 'term', log: 'log' }

describe('what a farmOS 1.x let in and this farm would refuse', () => {
  let server: FarmosServer
  let ids: Record<Accident, number>
  let outcome: Outcome
  let listed: string
  let farm: OpenedFarm

  beforeAll(async () => {
    const source = openHillFarm()
    ids = withAccidents(source, unlost)
    server = await farmos(source)
    const place = await emptyFarm()
    outcome = await moveIn(server, place)
    listed = listedBy(outcome, place)
    farm = await opened(place)
  })

  it('comes along: the verdict is changed, not lost', () => {
    expect(outcome.code, said(outcome)).toBe(3)
  })

  it('is listed wherever both sides differ over the wire', async () => {
    const found = await differences(await withToken(server), farm.client)
    const untold = found.filter((line) => {
      const [, kind = '', id, name] = /^(\w+) (\d+) (\w+)/.exec(line) ?? []
      // What is kept as text stands there, and a term that stands for a missing one is nowhere else.
      const isText = name === 'data' || /only here/.test(line)
      return !isText && !listed.includes(`${kindNames[kind]} ${id}`)
    })
    expect(found.length).toBeGreaterThan(10)
    expect(untold).toEqual([])
  })

  it('can be changed afterwards as anything else', async () => {
    const logs = ['foreignMeasure', 'danglingUnit', 'badGeometry', 'seedingOfAnimal', 'sameTwice', 'longAgo'] as const
    for (const accident of logs)
      expect(await farm.client.put(`/log/${ids[accident]}`, { name: 'Renamed' }), accident).toMatchObject({
        status: 200,
      })
    for (const accident of ['namelessAsset', 'plantingWithoutCrop', 'circle', 'foreignTagType'] as const)
      expect(await farm.client.put(`/farm_asset/${ids[accident]}`, { name: 'Renamed' }), accident).toMatchObject({
        status: 200,
      })
    expect((await farm.client.read(`/log/${ids.foreignMeasure}.json`)) as Json).toMatchObject({
      name: 'Renamed',
      quantity: [{ measure: 'brix', value: '12.1', label: 'sweet' }],
    })
  })
})

it('the page on moving in has a row for each case', () => {
  const page = readFileSync(new URL('../../docs/moving-in.md', import.meta.url), 'utf8')
  const cases = [
    /no name/,
    /crop/,
    /seeding/i,
    /measure/,
    /WKT/,
    /blocked/,
    /&amp;|entit/,
    /not there|gone/,
    /size/,
    /itself/,
  ]
  for (const row of cases) expect(page).toMatch(row)
})
