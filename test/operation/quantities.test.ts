import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { quantitiesOfLogs } from '../../src/records/quantities/reading.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { exportIn } from '../../src/storage/backup/directory.ts'
import type { Database, Engine } from '../../src/storage/database.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { earlierMaterialUuid } from '../../src/storage/records/quantity-rows.ts'
import { recordPages } from '../../src/storage/records/record-lookup.ts'
import { load } from '../fixtures/postgres-dump.mjs'
import { emptyDirectory, emptyPlace, engines, postgresDatabase } from '../harness/databases.ts'
import { root } from '../house/tree.ts'
import { farmOfVerbs, toId } from '../records/verbs.ts'
import { examined } from './examined.ts'
import { backedUp, exported, moveTo } from './moves.ts'

const fixture = (engine: Engine, name: string) => join(root, 'test/fixtures/version-7', engine, name)

/** The farm of version 7, where it can be opened. */
async function farmOfVersion7(engine: Engine): Promise<StoragePlace> {
  const data = await emptyDirectory()
  if (engine === 'sqlite') {
    const file = gunzipSync(await readFile(fixture(engine, 'farm.sqlite.gz')))
    await writeFile(join(data, 'farm.sqlite'), file, { mode: 0o600 })
    return { data, database: null }
  }
  const database = await postgresDatabase('template0')
  await load(database, String(gunzipSync(await readFile(fixture(engine, 'farm.sql.gz')))))
  return { data, database }
}

async function opened<T>(place: StoragePlace, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(place)
  return work(database).finally(() => database.close())
}

/** Every quantity of every log, in the order of the logs. */
async function quantitiesIn(database: Database) {
  const found = []
  for await (const logs of recordPages(database.read, 'log')) {
    const quantities = await database.read((snapshot) => quantitiesOfLogs(snapshot, logs))
    for (const log of logs) found.push(...(quantities.get(log.id) ?? []))
  }
  return found
}

describe.each(engines)('the quantities of a farm on %s', (engine) => {
  test('of version 7 have numbers in the order of its logs, and nothing is wrong with it', async () => {
    const place = await farmOfVersion7(engine)
    await opened(place, async (database) => {
      const found = await quantitiesIn(database)
      expect(found.length).toBeGreaterThan(6)
      expect(new Set(found.map(({ bundle }) => bundle))).toEqual(new Set(['standard', 'material']))
      expect(found.map(({ id }) => id)).toEqual(found.map((_, index) => index + 1))
      expect(await examined(database)).toEqual([])
    })
  })

  test('of version 7 are the same where it is restored or imported', async () => {
    const wanted = await opened(await farmOfVersion7(engine), quantitiesIn)
    const restored = await emptyPlace(engine)
    await restoreFarm(archiveAt(fixture(engine, 'backup.tar.gz')), moveTo(restored))
    expect(await opened(restored, quantitiesIn)).toEqual(wanted)
    const imported = await emptyPlace(engine)
    await restoreFarm(exportIn(fixture(engine, 'export')), moveTo(imported))
    expect(await opened(imported, quantitiesIn)).toEqual(wanted)
    expect(await opened(imported, (database) => examined(database))).toEqual([])
  })

  const grown = async () => {
    const farm = await farmOfVerbs(engine)
    const compost = await farm.term('Compost', 'farm_materials')
    const barrow = await farm.asset('Barrow')
    const waiting = await farm.quantity({ value: '1', label: 'waits' })
    const adjusting = { measure: 'count', value: '2', adjustment: 'increment', inventory_asset: toId(barrow.id) }
    const taken = await farm.quantity(adjusting)
    const log = await farm.log({ material: [toId(compost.id)], quantity: [{ part: { value: '3' } }] })
    const own = (await farm.quantitiesOf(log)).map(({ uuid }) => uuid)
    await farm.update(log, {}, [...own, taken.uuid])
    const gone = await farm.quantity({ value: '4' })
    const removed = await farm.log({}, [gone.uuid])
    return { farm, log, waiting, removed }
  }

  test('are exported and imported, backed up and restored, those that wait and those that logs have', async () => {
    const { farm, log, waiting } = await grown()
    const wanted = { ofLog: await farm.quantitiesOf(log), waiting: await farm.quantityNow(waiting) }
    expect(wanted.ofLog).toHaveLength(3)
    const { database } = farm.records
    const all = await quantitiesIn(database)
    const places = [await emptyPlace('sqlite'), await emptyPlace('postgres')]
    await restoreFarm(archiveAt(await backedUp(farm.place)), moveTo(places[0] as StoragePlace))
    await restoreFarm(exportIn(await exported(farm.place)), moveTo(places[1] as StoragePlace))
    for (const place of places) {
      await opened(place, async (moved) => {
        expect(await quantitiesIn(moved)).toEqual(all)
        expect(await examined(moved)).toEqual([])
        const again = await moved.read((snapshot) =>
          snapshot.selectFrom('quantity').selectAll().where('id', '=', waiting.id).executeTakeFirst(),
        )
        expect(again).toMatchObject({ uuid: waiting.uuid, log_id: null })
      })
    }
  })

  test.each([
    [
      'a row is missing',
      (database: Database, log: number) =>
        database.write((tx) => tx.deleteFrom('quantity').where('log_id', '=', log).execute()),
    ],
    [
      'a row says another place',
      (database: Database, log: number) =>
        database.write((tx) => tx.updateTable('quantity').set({ position: 7 }).where('log_id', '=', log).execute()),
    ],
    [
      'a row is found by something else',
      (database: Database, log: number) =>
        database.write((tx) => tx.updateTable('quantity').set({ value_key: 'x' }).where('log_id', '=', log).execute()),
    ],
  ])('the doctor finds where %s, and a restore makes it right', async (_what, damage) => {
    const { farm, log } = await grown()
    const before = (await farm.quantitiesOf(log)).map(({ id, uuid, values }) => ({ id, uuid, values }))
    await damage(farm.records.database, log.id)
    expect((await examined(farm.records.database)).join('\n')).toContain(
      `The quantities of log ${log.id} are not kept as it says`,
    )
    const place = await emptyPlace(engine)
    await restoreFarm(archiveAt(await backedUp(farm.place)), moveTo(place))
    await opened(place, async (database) => {
      const lines = await examined(database)
      // Of a row that is lost, nobody knows any more how often it was a record of its own.
      expect(lines.filter((line) => !line.includes('it is not what the journal says it is'))).toEqual([])
      const after = (await quantitiesIn(database)).filter((quantity) => quantity.log === log.id)
      expect(after.map(({ id, uuid, values }) => ({ id, uuid, values }))).toEqual(before)
    })
  })

  test('a restore keeps the UUID that earlier versions made for a material, also where its row is lost', async () => {
    const { farm, log } = await grown()
    const before = await farm.quantitiesOf(log)
    const material = before.find(({ bundle }) => bundle === 'material')
    const [term = 0] = (material?.values.material_type ?? []) as readonly number[]
    const uuid = earlierMaterialUuid({ log: log.uuid, term, nth: 0 })
    await farm.records.database.write(async (tx) => {
      await tx
        .updateTable('identity')
        .set({ uuid })
        .where('uuid', '=', material?.uuid ?? '')
        .execute()
      await tx.deleteFrom('quantity').where('log_id', '=', log.id).execute()
    })
    const place = await emptyPlace(engine)
    await restoreFarm(archiveAt(await backedUp(farm.place)), moveTo(place))
    const after = (await opened(place, quantitiesIn)).filter((quantity) => quantity.log === log.id)
    expect(after.map((one) => [one.id, one.uuid])).toEqual(
      before.map((one) => [one.id, one === material ? uuid : one.uuid]),
    )
  })

  test('the doctor finds references that are not those of a quantity', async () => {
    const { farm, waiting } = await grown()
    await farm.records.database.write((tx) => tx.deleteFrom('facet').where('record_id', '=', waiting.id).execute())
    expect((await examined(farm.records.database)).join('\n')).toContain(`is not kept as quantity ${waiting.id} says`)
  })
})
