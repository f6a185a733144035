import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import type { StoragePlace } from '../../src/storage/open.ts'
import { furrow, serve } from '../cli/built-furrow.ts'
import { load } from '../fixtures/postgres-dump.mjs'
import type { Json } from '../harness/client.ts'
import { emptyDirectory, emptyPlace, engines, postgresDatabase } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'
import { root } from '../house/tree.ts'

type FixtureOf = (name: string) => string

const fixtureOf =
  (version: number, engine: Engine): FixtureOf =>
  (name) =>
    join(root, `test/fixtures/version-${version}`, engine, name)

const unpacked = async (file: string): Promise<Buffer> => gunzipSync(await readFile(file))

/** The database of an earlier version, where it can be opened. */
const databaseOf: Readonly<Record<Engine, (fixture: FixtureOf) => Promise<StoragePlace>>> = {
  async sqlite(fixture) {
    const data = await emptyDirectory()
    await writeFile(join(data, 'farm.sqlite'), await unpacked(fixture('farm.sqlite.gz')), { mode: 0o600 })
    return { data, database: null }
  },
  async postgres(fixture) {
    const database = await postgresDatabase('template0')
    await load(database, String(await unpacked(fixture('farm.sql.gz'))))
    return { data: await emptyDirectory(), database }
  },
}

const at = ({ data, database }: StoragePlace) => ({ env: { FURROW_DATA: data, FURROW_DATABASE: database ?? '' } })

/** Reads the farm over HTTP as it was read then: path by path, what a list holds or the record. */
async function readAt(place: StoragePlace, paths: readonly string[]): Promise<Record<string, Json[]>> {
  const server = await serve(['--base-url', 'https://farm.example'], at(place))
  const form = { grant_type: 'password', client_id: 'farm', username: 'ada', password: 'green fields 42' }
  const login = await fetch(`${server.address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await login.json()) as Json
  const found: Record<string, Json[]> = {}
  for (const path of paths) {
    const answer = await fetch(`${server.address}${path}`, { headers: { authorization: `Bearer ${access_token}` } })
    const body = (await answer.json()) as Json
    found[path] = body.list ?? [body]
  }
  await server.stop()
  return found
}

/** From this version on there is a trash, and changes belong to sets. */
const firstThatRemembers = 7

async function expectTheSameFarm(place: StoragePlace, version: number, fixture: FixtureOf): Promise<void> {
  const recorded: Record<string, Json[]> = JSON.parse(await readFile(fixture('records.json'), 'utf8'))
  const asked = [...Object.keys(recorded), '/farm.json', '/trash.json']
  const { '/farm.json': info, '/trash.json': trash, ...found } = await readAt(place, asked)
  const isTrash = version >= firstThatRemembers
  // What was removed before there was a trash is not in it.
  expect(trash).toHaveLength(isTrash ? 3 : 0)
  expect(found).toEqual(recorded)
  expect(JSON.stringify(found)).toBe(JSON.stringify(recorded))
  expect(info).toMatchObject([{ name: 'Höhe & "Tal"', system_of_measurement: 'us' }])
  expect((await furrow(['client', 'list'], at(place))).stdout).toContain('field-app')
  expect(await furrow(['doctor'], at(place))).toMatchObject({
    code: 0,
    stdout: `Everything is as it should be.\n${isTrash ? 'In the trash: 3 records, 2 files, 10 bytes.\n' : ''}`,
  })
}

const other: Readonly<Record<Engine, Engine>> = { sqlite: 'postgres', postgres: 'sqlite' }

const versions = [4, 6, 7]
const farms = versions.flatMap((version) => engines.map((from) => ({ version, from })))
const inTurns = versions.flatMap((version, nth) =>
  engines.slice(nth % 2, (nth % 2) + 1).map((from) => ({ version, from })),
)

describe.each(rounds({ short: inTurns, long: farms }))('a farm of version $version on $from', ({ version, from }) => {
  const fixture = fixtureOf(version, from)

  test('is opened, has its records, and nothing is wrong with it', async () => {
    await expectTheSameFarm(await databaseOf[from](fixture), version, fixture)
  })

  test('tells the history of its records, of which nothing belongs to a set that was made before there were any', async () => {
    const path = '/log/1/history.json'
    const found = await readAt(await databaseOf[from](fixture), [path, '/sets.json'])
    const [history] = found[path] ?? []
    const remembers = version >= firstThatRemembers
    expect(history.revisions.at(-1)).toMatchObject({
      revision: 1,
      verb: 'create',
      who: { name: expect.any(String) },
      ...(remembers ? {} : { client: null, request: null }),
      set: remembers ? expect.any(String) : null,
      fields: { name: { before: null, after: expect.any(String) } },
    })
    if (remembers) expect(found['/sets.json']?.[0].sets.length).toBeGreaterThan(0)
    else expect(found['/sets.json']).toEqual([{ sets: [], next: null }])
  })

  test('is restored from its backup', async () => {
    const place = await emptyPlace(from)
    expect(await furrow(['restore', fixture('backup.tar.gz')], at(place))).toMatchObject({ code: 0 })
    await expectTheSameFarm(place, version, fixture)
  })

  test(`is imported from its export, on ${other[from]}`, async () => {
    const place = await emptyPlace(other[from])
    expect(await furrow(['import', fixture('export')], at(place))).toMatchObject({ code: 0 })
    await expectTheSameFarm(place, version, fixture)
  })
})
