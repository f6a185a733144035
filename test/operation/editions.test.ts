import { join } from 'node:path'
import { Client as Postgres } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { backUp } from '../../src/storage/backup/back-up.ts'
import { readEdition } from '../../src/storage/farm-state.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { readFarmUuid } from '../../src/storage/settings.ts'
import { furrow, serve } from '../cli/built-furrow.ts'
import type { Client } from '../harness/client.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { backedUp, exported, importInto, letGoOf, moveTo, quiet } from './moves.ts'

async function ask(place: StoragePlace, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Postgres({ connectionString: place.database ?? '' })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** As after a while in which nobody has asked anything. */
async function withoutConnections(place: StoragePlace): Promise<void> {
  const others = "datname = current_database() and application_name = 'furrow'"
  const connections = async () => {
    // Those who notice try to come back.
    await ask(place, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
    return ask(place, `select pid from pg_stat_activity where ${others}`)
  }
  await expect.poll(connections).toEqual([])
}

const editionAt = async (place: StoragePlace): Promise<string> => {
  const database = await openDatabase(place)
  return database.read(readEdition).finally(() => database.close())
}

describe.each(engines)('the edition of a farm on %s', (engine) => {
  test('stays the same while it is opened again, and is another after a restore and in a farm that was imported', async () => {
    const place = await emptyPlace(engine)
    const first = await editionAt(place)
    expect(first).toMatch(/^[\w-]{12}$/)
    await (await openFarm({ place })).close()
    expect(await editionAt(place)).toBe(first)
    const [archive, directory] = [await backedUp(place), await exported(place)]
    await letGoOf(place)
    await restoreFarm(archiveAt(archive), moveTo(place, { ifOccupied: 'keep-aside' }))
    const restored = await editionAt(place)
    const other = await emptyPlace(engine)
    await importInto(other, directory)
    expect(new Set([first, restored, await editionAt(other)]).size).toBe(3)
  })
})

describe.each(engines)('the UUID of a farm on %s', (engine) => {
  const uuidAt = async (place: StoragePlace): Promise<string> => {
    const database = await openDatabase(place)
    return database.read(readFarmUuid).finally(() => database.close())
  }

  test('is made when it is first opened, and goes with it through backup and restore, export and import', async () => {
    const place = await emptyPlace(engine)
    await (await openFarm({ place })).close()
    const uuid = await uuidAt(place)
    expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const [archive, directory] = [await backedUp(place), await exported(place)]
    await letGoOf(place)
    await restoreFarm(archiveAt(archive), moveTo(place, { ifOccupied: 'keep-aside' }))
    expect(await uuidAt(place)).toBe(uuid)
    const other = await emptyPlace(engine)
    await importInto(other, directory)
    await (await openFarm({ place: other })).close()
    expect(await uuidAt(other)).toBe(uuid)
  })
})

describe('a server on PostgreSQL', () => {
  let place: StoragePlace
  let env: Record<string, string>
  let archive: string
  let directory: string

  beforeAll(async () => {
    place = await emptyPlace('postgres')
    env = { FURROW_DATABASE: place.database ?? '', FURROW_DATA: place.data }
    const adding = ['user', 'add', 'ada', '--role', 'manager', '--password-stdin']
    expect(await furrow(adding, { env, input: 'green fields 42' })).toMatchObject({ code: 0 })
    archive = await backedUp(place)
    directory = await exported(place)
  })

  test('is noticed by a restore and an import for as long as it runs, also while it has no connection', async () => {
    const server = await serve([], { env })
    const [row] = await ask(place, 'select host, pid, began from server')
    expect(row).toMatchObject({ pid: String(server.pid) })
    await withoutConnections(place)
    for (const args of [
      ['restore', archive, '--replace'],
      ['import', directory],
    ]) {
      const { code, stderr } = await furrow(args, { env })
      expect([code, stderr]).toEqual([1, expect.stringContaining(`process ${server.pid} on ${row?.host}, since 20`)])
      expect(stderr).toMatch(
        /A server is using the database \w+: .* Stop it first\. If it was killed, wait half a minute/,
      )
    }
    expect(await server.stop()).toBe(0)
    expect(await ask(place, 'select * from server')).toEqual([])
    expect(await furrow(['restore', archive, '--replace'], { env })).toMatchObject({ code: 0 })
  })

  test('that was killed no longer counts after half a minute by the clock of the database', async () => {
    const server = await serve([], { env })
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    await withoutConnections(place)
    expect((await furrow(['restore', archive, '--replace'], { env })).stderr).toContain(`process ${server.pid} on `)
    await ask(place, 'update server set seen = seen - 30')
    expect(await furrow(['restore', archive, '--replace'], { env })).toMatchObject({ code: 0 })
  })

  test('gives signs of life', async () => {
    const server = await serve([], { env })
    await ask(place, 'update server set seen = 1')
    await expect.poll(() => ask(place, 'select seen from server where seen > 1'), { interval: 500 }).toHaveLength(1)
    await server.stop()
  })
})

/** A farm with one log, and whose vocabularies have other numbers than usual. */
async function archiveOfAnother(): Promise<string> {
  const farm = await openFarm({ engine: 'postgres' })
  const client = await farm.login()
  await client.create('log', { name: 'Of another farm', type: 'farm_activity', timestamp: 1 })
  await farm.installation.database.write((tx) =>
    tx
      .updateTable('vocabulary')
      .set((row) => ({ vid: row('vid', '+', 100) }))
      .execute(),
  )
  const archive = join(await emptyDirectory(), 'farm.tar.gz')
  await backUp(farm.installation.database, archive, { clock: wallClock, report: quiet })
  return archive
}

describe('a server beside which another farm was restored all the same', () => {
  let archive: string

  beforeAll(async () => {
    archive = await archiveOfAnother()
  })

  /** The server, its place taken by another farm after it has shown all that it remembers. */
  async function replaced(): Promise<{ farm: FarmUnderTest; client: Client; tag: string }> {
    const farm = await openFarm({ engine: 'postgres' })
    const before = await farm.login()
    const id = await before.create('log', { name: 'Of this farm', type: 'farm_activity', timestamp: 1 })
    expect(id).toBe('1')
    for (const path of [
      '/log.json',
      '/farm.json',
      '/taxonomy_vocabulary.json',
      '/openapi.json',
      '/taxonomy_term/1.json',
    ])
      expect(await before.get(path)).toMatchObject({ status: 200 })
    const tag = (await before.get('/log/1.json')).headers.get('etag') ?? ''
    await withoutConnections(farm.installation.settings)
    await restoreFarm(archiveAt(archive), moveTo(farm.installation.settings, { ifOccupied: 'keep-aside' }))
    expect((await before.get('/log/1.json')).status).toBe(403)
    return { farm, client: await farm.login(), tag }
  }

  test.each([
    ['a list', '/log.json', /Of another farm/],
    ['a record', '/log/1.json', /Of another farm/],
    ['a term and its vocabulary', '/taxonomy_term/1.json', /taxonomy_vocabulary\/1\d\d"/],
    ['what the farm is', '/farm.json', /"vid":"1\d\d"/],
    ['the vocabularies', '/taxonomy_vocabulary.json', /"vid":"1\d\d"/],
    ['the description of the interface', '/openapi.json', /"const":"1\d\d"/],
  ])('answers with the new farm when it is first asked for %s', async (_, path, found) => {
    const { farm, client } = await replaced()
    const answer = await fetch(farm.base + path, { headers: { authorization: `Bearer ${client.login.token}` } })
    const text = await answer.text()
    expect([answer.status, text]).toEqual([200, expect.stringMatching(found)])
    expect(text).not.toContain('Of this farm')
  })

  test('takes the numbers of the new farm, and no tags of the old one, when it is first told something', async () => {
    const { farm, client, tag } = await replaced()
    const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(farm.base + path, {
        method,
        headers: { authorization: `Bearer ${client.login.token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    expect((await send('PUT', '/log/1', { name: 'Changed' }, { 'if-match': tag })).status).toBe(412)
    expect((await client.read('/log/1.json')).name).toBe('Of another farm')
    const own = (await client.get('/log/1.json')).headers.get('etag') ?? ''
    expect((await send('PUT', '/log/1', { name: 'Changed' }, { 'if-match': own })).status).toBe(200)
  })

  test('takes a vocabulary by its number in the new farm', async () => {
    const { farm, client } = await replaced()
    const [areas] = await ask(
      farm.installation.settings,
      "select vid from vocabulary where machine_name = 'farm_areas'",
    )
    const answer = await fetch(`${farm.base}/taxonomy_term`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.login.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'North field', vocabulary: String(areas?.vid), area_type: 'field' }),
    })
    expect(answer.status).toBe(201)
  })

  test('has one key for its forms with every other server of the new farm', async () => {
    const { farm } = await replaced()
    const other = await openFarm({ place: farm.installation.settings })
    const { login } = await other.login()
    const tokenAt = async (base: string) => {
      const headers = { authorization: `Bearer ${login.token}` }
      return (await fetch(`${base}/restws/session/token`, { headers })).text()
    }
    expect(await tokenAt(farm.base)).toBe(await tokenAt(other.base))
  })
})
