import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { whereaboutsOf } from '../../src/history/location.ts'
import { assetsInAreas, currentGroups, membersOfGroups } from '../../src/history/membership.ts'
import type { Database, Snapshot } from '../../src/storage/database.ts'
import { atPresent, inThePast } from '../../src/storage/farm-state.ts'
import { placeTypes, stayKinds } from '../../src/storage/history/stay-rows.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'
import { type Heard, overhear } from './overheard.ts'

const assets = Array.from({ length: 100 }, (_, n) => n + 1)
const places = Array.from({ length: 10 }, (_, n) => n + 1)
const time = atPresent(1_000_000)

const readings: readonly [string, (snapshot: Snapshot) => Promise<ReadonlyMap<number, unknown>>][] = [
  ['where 100 assets are', (snapshot) => whereaboutsOf(snapshot, assets, time)],
  ['which groups 100 assets belong to', (snapshot) => currentGroups(snapshot, assets, time)],
  ['what is in 10 areas', (snapshot) => assetsInAreas(snapshot, places, time)],
  ['who is in 10 groups', (snapshot) => membersOfGroups(snapshot, places, time)],
]

const halfAgo = inThePast(500_000)
const pastReadings: typeof readings = [
  ['where 100 assets were', (snapshot) => whereaboutsOf(snapshot, assets, halfAgo)],
  ['which groups 100 assets belonged to', (snapshot) => currentGroups(snapshot, assets, halfAgo)],
  ['what was in 10 areas', (snapshot) => assetsInAreas(snapshot, places, halfAgo)],
  ['who was in 10 groups', (snapshot) => membersOfGroups(snapshot, places, halfAgo)],
]

/** Logs `first` to `last` of every asset, each with a movement and a membership; one log in a hundred is in the future. */
async function fill(database: Database, first: number, last: number): Promise<void> {
  const counted = (name: string, from: number, to: number) =>
    sql`${sql.raw(name)}(i) as (select ${sql.raw(`${from}`)} union all select i + 1 from ${sql.raw(name)} where i < ${sql.raw(`${to}`)})`
  const each = sql`with recursive ${counted('asset_number', 1, 100)}, ${counted('turn', first, last)}`
  const fields = '{"movement":{"uuid":"","area":[1]},"membership":{"uuid":"","group":[1]}}'
  await database.write(async (tx) => {
    await sql`insert into log (id, uuid, bundle, name, name_key, uid, created, changed, revision, fields, timestamp, status)
      ${each} select turn.i * 100 + asset_number.i, 'log-' || turn.i || '-' || asset_number.i, 'farm_activity', 'x', 'x', 1, 0, 0, 1,
      ${fields}, turn.i * 1010, 'done' from turn, asset_number where true`.execute(tx)
    for (const kind of stayKinds) {
      await sql`insert into stay (kind, thing_type, thing_id, timestamp, log_id, place_type, place_id, until)
        ${each} select ${kind}, 'asset', asset_number.i, turn.i * 1010, turn.i * 100 + asset_number.i, ${placeTypes[kind]},
        1 + (turn.i + asset_number.i) % 10, (turn.i + 1) * 1010 from turn, asset_number where true`.execute(tx)
    }
    if (database.engine === 'postgres') await sql`analyze`.execute(tx)
  })
}

async function hearAll(database: Database): Promise<readonly (readonly Heard[])[]> {
  const heard = []
  for (const [, reading] of readings) heard.push(await overhear(database, reading))
  return heard
}

describe.each(engines)('however long the history, on %s', (engine) => {
  let short: readonly (readonly Heard[])[]
  let long: readonly (readonly Heard[])[]
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
    await database.write((tx) =>
      tx
        .insertInto('asset')
        .values(
          assets.map((id) => ({
            uuid: `asset-${id}`,
            bundle: 'animal',
            name: 'x',
            name_key: 'x',
            uid: 1,
            created: 0,
            changed: 0,
            revision: 1,
            fields: '{}',
            archived: 0,
          })),
        )
        .execute(),
    )
    await database.write((tx) =>
      tx
        .insertInto('term')
        .values(
          places.map((id) => ({
            id,
            uuid: `term-${id}`,
            bundle: 'farm_areas',
            name: 'x',
            name_key: 'x',
            uid: 1,
            created: 0,
            changed: 0,
            revision: 1,
            fields: '{}',
            weight: 0,
          })),
        )
        .execute(),
    )
    await fill(database, 0, 9)
    short = await hearAll(database)
    await fill(database, 10, 999)
    long = await hearAll(database)
  })

  test.each(readings.map(([name], index) => [name, index] as const))(
    '%s takes the same statements and no more rows after a thousand logs than after ten',
    (_name, index) => {
      const [after10, after1000] = [short[index] ?? [], long[index] ?? []]
      expect(after1000.some(({ sql }) => sql.includes('stay'))).toBe(true)
      expect(after1000.map(({ sql }) => sql)).toEqual(after10.map(({ sql }) => sql))
      for (const { sql, steps, touched } of after1000) {
        if (engine === 'sqlite') expect(steps.join('\n')).not.toMatch(/SCAN (stay|log)/)
        if (engine === 'sqlite' && sql.includes('stay')) expect(steps.join('\n')).toMatch(narrow)
        expect(touched).toBeLessThanOrEqual(300)
      }
    },
  )

  test.each(pastReadings)('%s half of the history ago passes few of the logs since', async (_name, reading) => {
    const heard = await overhear(database, reading)
    expect(heard).not.toEqual([])
    for (const { steps, touched } of heard) {
      if (engine === 'sqlite') expect(steps.join('\n')).not.toMatch(/SCAN (stay|log)/)
      expect(touched).toBeLessThanOrEqual(5_300)
    }
    // What is in places is then asked of each asset, not of all that has been there since.
    if (heard.some(({ sql }) => sql.includes('since'))) expect(heard.at(-1)?.sql).toContain('earlier')
  })

  test('what was in 10 areas is what the timelines of their assets say, long ago and lately', async () => {
    for (const turn of [500, 985]) {
      const found = await database.read((snapshot) => assetsInAreas(snapshot, places, inThePast(turn * 1010)))
      for (const place of places)
        expect(found.get(place)).toEqual(assets.filter((asset) => 1 + ((turn + asset) % 10) === place))
    }
  })

  test.each(readings)('%s is found', async (_name, reading) => {
    expect((await database.read(reading)).size).toBeGreaterThanOrEqual(10)
  })
})

/** Down to one asset's time, or to what has not ended in one place: never through a whole history. */
const narrow =
  /SEARCH stay USING .*\(kind=\? AND (thing_type=\? AND thing_id=\? AND timestamp<\?|place_type=\? AND place_id=\? AND until>\?)\)/
