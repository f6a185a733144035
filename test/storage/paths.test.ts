import { beforeAll, describe, expect, test } from 'vitest'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { pathsOf } from '../../src/records/record-index.ts'
import { CannotOpen } from '../../src/storage/cannot-open.ts'
import type { Reading } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { pathNumber } from '../../src/storage/records/path.ts'
import type { Client } from '../harness/client.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { examined } from '../operation/examined.ts'

const toNotes = pathNumber({ source_type: 'log', field: 'notes', target_type: '' })
const ofAnotherRelease = { source_type: 'log', field: 'moon', target_type: '' }

describe.each(engines)('paths on %s', (engine) => {
  let farm: FarmUnderTest
  let client: Client

  beforeAll(async () => {
    farm = await openFarm({ engine })
    client = await farm.login('manager')
  })

  const log = (fields: object) =>
    client.create('log', { name: 'Weighed', type: 'farm_activity', timestamp: 1, done: 1, ...fields })
  const labelled = (...labels: string[]) => ({ quantity: labels.map((label) => ({ label })) })
  const foundBy = async (label: string): Promise<string[]> => {
    const { list } = await client.read(`/log.json?quantity[label]=${encodeURIComponent(label)}`)
    return list.map(({ id }: { id: string }) => id)
  }
  const inRows = <T>(work: (rows: Reading) => Promise<T>) => farm.house.database.read(work)

  test('are noted at the start, each under the number of its words', async () => {
    const noted = await inRows((rows) => rows.selectFrom('path').selectAll().orderBy('id').execute())
    expect(noted.map(({ id, ...path }) => [id, pathNumber(path)])).toEqual(noted.map(({ id }) => [id, id]))
    expect(noted.map(({ id }) => id)).toEqual([...new Set(pathsOf(stockFarm).map(pathNumber))].sort((a, b) => a - b))
  })

  test('tell values apart that begin alike, also after changes', async () => {
    const beginning = 'a label that goes on and on '.repeat(6)
    const [barley, rye, oats] = [`${beginning}barley`, `${beginning}rye`, `${beginning}oats`]
    const one = await log(labelled(barley, rye, barley))
    const other = await log(labelled(oats, beginning.slice(0, 120), beginning.trim()))
    expect([await foundBy(barley), await foundBy(rye), await foundBy(oats)]).toEqual([[one], [one], [other]])
    await client.put(`/log/${one}`, labelled(oats, rye))
    expect([await foundBy(barley), await foundBy(rye), await foundBy(oats)]).toEqual([[], [one], [one, other]])
    await client.put(`/log/${other}`, labelled(rye))
    expect([await foundBy(rye), await foundBy(oats)]).toEqual([[one, other], [one]])
    expect(await examined(farm.house.database)).toEqual([])
  })

  test('that no module knows any more go with their record', async () => {
    const id = Number(await log({ notes: 'Full moon' }))
    const path = pathNumber(ofAnotherRelease)
    await farm.house.database.write(async (rows) => {
      await rows
        .insertInto('path')
        .values({ id: path, ...ofAnotherRelease })
        .execute()
      await rows.insertInto('facet').values({ record_id: id, path, key: 'full', nth: 0, whole_key: null }).execute()
    })
    const facets = () => inRows((rows) => rows.selectFrom('facet').select('path').where('record_id', '=', id).execute())
    expect((await facets()).map((row) => row.path).sort()).toEqual([path, toNotes].sort())
    expect((await client.delete(`/log/${id}`)).status).toBe(200)
    expect(await facets()).toEqual([])
  })

  test('that would share a number keep the farm closed, and the words are named', async () => {
    const place = await emptyPlace(engine)
    const database = await openDatabase(place)
    await database.write((rows) =>
      rows
        .insertInto('path')
        .values({ id: toNotes, ...ofAnotherRelease })
        .execute(),
    )
    await database.close()
    const opening = openFarm({ place })
    await expect(opening).rejects.toThrow(CannotOpen)
    await expect(opening).rejects.toThrow(
      'The fields moon of log and notes of log would be looked up under the same number',
    )
  })
})
