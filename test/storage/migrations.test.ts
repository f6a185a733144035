import { describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { emptyPlace, engines } from '../harness/databases.ts'

test('the versions of the migrations have no gaps', () => {
  expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, place) => place + 1))
})

describe.each(engines)('migrations on %s', (engine) => {
  test('opening again applies nothing again', async () => {
    const place = await emptyPlace(engine)
    for (const time of [1000, 2000]) {
      const database = await openDatabase(place, () => time)
      const applied = await database.read((snapshot) =>
        snapshot.selectFrom('migration').selectAll().orderBy('version').execute(),
      )
      await database.close()
      expect(applied.map((row) => row.name)).toEqual(migrations.map((migration) => migration.name))
      expect(applied.every((row) => row.applied !== 2000)).toBe(true)
    }
  })

  test('a database that a newer release has made is refused, and left as it is', async () => {
    const place = await emptyPlace(engine)
    const newer = migrations.length + 3
    const database = await openDatabase(place)
    await database.write((tx) =>
      tx.insertInto('migration').values({ version: newer, name: 'later', applied: 0 }).execute(),
    )
    await database.close()
    const message = `newer Furrow (version ${newer}); this one knows up to ${migrations.length}`
    await expect(openDatabase(place)).rejects.toThrow(message)
    await expect(openDatabase(place)).rejects.toMatchObject({ name: 'CannotOpen' })
  })

  test('a farm that has lost its version is refused in words, and left as it is', async () => {
    const place = await emptyPlace(engine)
    const database = await openDatabase(place)
    await database.write((tx) => tx.schema.dropTable('migration').execute())
    await database.close()
    for (const ifNone of ['create', 'refuse'] as const) {
      const opening = openDatabase(place, wallClock, { ifNone })
      await expect(opening).rejects.toThrow(/^The table migration is not there, .* `furrow restore FILE --replace`/)
      await expect(opening).rejects.toMatchObject({ name: 'CannotOpen' })
    }
  })
})
