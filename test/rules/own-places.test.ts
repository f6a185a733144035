import { describe, expect, test } from 'vitest'
import { newUuid } from '../../src/records/writing/draft.ts'
import { storeChange, storeNew } from '../../src/records/writing/storing.ts'
import { inChangeSet } from '../../src/storage/change-set.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import { engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { examined } from '../operation/examined.ts'

/** What the newer generation keeps: a log that moves an area, or into an asset. */
function moves(farm: FarmUnderTest, timestamp: number, values: StoredRecord['values']): Promise<unknown> {
  const { database, farm: catalogue } = farm.installation
  const times = { created: timestamp, changed: timestamp }
  const given = { id: newUuid(timestamp), at: timestamp, uid: 1, client: null, request: null }
  const log = {
    type: 'log',
    uuid: newUuid(timestamp),
    bundle: 'farm_activity',
    uid: 1,
    ...times,
    revision: 1,
    values: { name: 'Moved', status: 'done', timestamp, ...values },
  } as const
  return database.write((tx) =>
    inChangeSet(tx, given, (set) => storeNew(tx, catalogue, { type: 'log', records: [log], set })),
  )
}

async function letMove(farm: FarmUnderTest, area: number): Promise<void> {
  const { database, farm: catalogue } = farm.installation
  const given = { id: newUuid(1), at: 1, uid: 1, client: null, request: null }
  await database.write(async (tx) => {
    const before = (await recordsByIds(tx, 'term', [area])).get(area) as StoredRecord
    const after = { ...before, values: { ...before.values, is_movable: true }, revision: before.revision + 1 }
    await inChangeSet(tx, given, (set) => storeChange(tx, catalogue, { before, after, set }))
  })
}

const into = (place: object) => ({ movement: { uuid: newUuid(1), ...place } }) as unknown as StoredRecord['values']

async function coopAndTrailer(farm: FarmUnderTest) {
  const client = await farm.login()
  const coop = await client.create('taxonomy_term', { name: 'Coop', vocabulary: 'farm_areas' })
  const trailer = await client.create('farm_asset', { name: 'Trailer', type: 'equipment' })
  await letMove(farm, Number(coop))
  const coopIntoTrailer = (time: number) =>
    moves(farm, time, { asset_area: [Number(coop)], area: [Number(coop)], ...into({ place: [Number(trailer)] }) })
  const trailerIntoCoop = (time: number) =>
    client.post('/log', {
      name: 'Parked',
      type: 'farm_activity',
      timestamp: time,
      done: '1',
      asset: [{ id: trailer }],
      movement: { area: [{ id: coop }] },
    })
  return { client, coop, trailer, coopIntoTrailer, trailerIntoCoop }
}

describe.each(engines)('a place on %s', (engine) => {
  test('takes in nothing that it lies in, through the record interface either', async () => {
    const farm = await openFarm({ engine })
    const { trailer, coopIntoTrailer, trailerIntoCoop } = await coopAndTrailer(farm)
    await coopIntoTrailer(1000)
    const refused = await trailerIntoCoop(1500)
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.text).toContain(`movement.area: would put the asset ${trailer} into itself`)
    expect(await examined(farm.installation.database)).toEqual([])
  })

  test('that a late log has put into itself is told by the doctor, and where it is can still be read', async () => {
    const farm = await openFarm({ engine })
    const { client, coop, trailer, coopIntoTrailer, trailerIntoCoop } = await coopAndTrailer(farm)
    await coopIntoTrailer(1000)
    await trailerIntoCoop(500)
    expect(await examined(farm.installation.database)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Area ${coop} is inside itself from 1970-01-01T00:16:40.000Z on, over asset ${trailer} \\(log \\d+\\)`,
        ),
      ),
    ])
    expect((await client.read(`/farm_asset/${trailer}.json`)).location).toMatchObject([{ id: coop }])
  })

  test('is never put into another that is put into it at the same moment', async () => {
    const farm = await openFarm({ engine })
    const client = await farm.login()
    const box = async () => Number(await client.create('farm_asset', { name: 'Box', type: 'equipment' }))
    for (let turn = 0; turn < rounds({ short: 10, long: 100 }); turn++) {
      const [one, other] = [await box(), await box()]
      const settled = await Promise.allSettled([
        moves(farm, 1000, { asset: [one], ...into({ place: [other] }) }),
        moves(farm, 1000, { asset: [other], ...into({ place: [one] }) }),
      ])
      expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    }
    expect(await examined(farm.installation.database)).toEqual([])
  })
})
