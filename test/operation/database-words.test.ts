import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freePort } from '../../build/free-port.mjs'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import type { Json } from '../harness/client.ts'
import { emptyPlace } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const body = JSON.stringify({ name: 'Hay', type: 'farm_activity', timestamp: 1 })

const postTo = (farm: FarmUnderTest, token: string) =>
  fetch(`${farm.base}/log`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })

const run = ({ installation }: FarmUnderTest, ...statements: readonly string[]) =>
  installation.database.write(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

const linesWith = (farm: FarmUnderTest, path: string): Json[] =>
  farm.lines.map((line) => JSON.parse(line)).filter((line) => line.path === path)

test('what PostgreSQL said when it failed is in the line of the request, and no value that it was given', async () => {
  const farm = await openFarm({ engine: 'postgres' })
  const { login } = await farm.login()
  await run(farm, 'alter table log add constraint no_hay unique (uid, name)')
  expect((await postTo(farm, login.token)).status).toBe(201)
  expect((await postTo(farm, login.token)).status).toBe(500)
  await expect
    .poll(() => linesWith(farm, '/log').at(-1))
    .toMatchObject({
      status: 500,
      bug: expect.stringContaining('violates unique constraint'),
      database: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "no_hay"',
        detail: 'Key (uid, name)=(…) already exists.',
        table: 'log',
        constraint: 'no_hay',
      },
    })
  await run(
    farm,
    'alter table log drop constraint no_hay',
    `create function no_hay() returns trigger language plpgsql
      as $$ begin perform new.name::integer; return new; end $$`,
    'create trigger no_hay before insert on log for each row execute function no_hay()',
  )
  expect((await postTo(farm, login.token)).status).toBe(500)
  await expect.poll(() => linesWith(farm, '/log').at(-1)).toMatchObject({ database: { code: '22P02' } })
  expect(farm.lines.join('')).not.toContain('Hay')
})

test('what PostgreSQL said is in the line of a request that was sent away, too', async () => {
  const farm = await openFarm({ engine: 'postgres' })
  const { login } = await farm.login()
  await run(
    farm,
    `create function no_room() returns trigger language plpgsql
      as $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`,
    'create trigger no_room before insert on log execute function no_room()',
  )
  expect((await postTo(farm, login.token)).status).toBe(503)
  await expect
    .poll(() => linesWith(farm, '/log').at(-1))
    .toMatchObject({ status: 503, database: { code: '53100', message: 'no space left on device' } })
})

/** A wire to the server that can be cut and mended. */
async function wireTo(
  address: string,
): Promise<{ readonly address: string; cut(): Promise<void>; mend(): Promise<void> }> {
  const { hostname, port } = new URL(address)
  const ends = new Set<Socket>()
  const wire = createServer((near) => {
    const far = connect(Number(port || 5432), hostname)
    for (const end of [near, far]) ends.add(end.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  const own = new URL(address)
  const mend = async () => void (await once(wire.listen(Number(own.port), '127.0.0.1'), 'listening'))
  const cut = async () => {
    const closed = once(wire.close(), 'close')
    for (const end of ends) end.destroy()
    await closed
  }
  own.hostname = '127.0.0.1'
  own.port = String(await freePort())
  await mend()
  atEndOfFile(async () => void (wire.listening && (await cut())))
  return { address: own.href, cut, mend }
}

test('a PostgreSQL that is lost is told once, and once that it is back', async () => {
  const place = await emptyPlace('postgres')
  const wire = await wireTo(place.database ?? '')
  const farm = await openFarm({ place: { ...place, database: wire.address } })
  const { login } = await farm.login()
  const get = async () =>
    (await fetch(`${farm.base}/log.json`, { headers: { authorization: `Bearer ${login.token}` } })).status
  const told = () => farm.lines.map((line) => JSON.parse(line).database).filter((said) => said?.state !== undefined)
  expect(await get()).toBe(200)
  await wire.cut()
  for (let n = 0; n < 4; n++) expect(await get()).toBe(503)
  expect(told()).toEqual([{ state: 'lost', code: expect.any(String), message: expect.stringMatching(/./) }])
  await wire.mend()
  await expect
    .poll(async () => [await get(), ...told().map(({ state }) => state)], { interval: 300 })
    .toEqual([200, 'lost', 'back'])
})

test('polls of /readyz report no bug while PostgreSQL is away', async () => {
  const place = await emptyPlace('postgres')
  const wire = await wireTo(place.database ?? '')
  const farm = await openFarm({ place: { ...place, database: wire.address } })
  await wire.cut()
  const poll = async () => {
    const answer = await fetch(`${farm.base}/readyz`)
    return [answer.status, await answer.text()]
  }
  for (let n = 0; n < 3; n++) {
    expect(await poll()).toEqual([503, 'database: it cannot be read\n'])
    await sleep(1_100)
  }
  await expect.poll(() => linesWith(farm, '/readyz')).toHaveLength(3)
  for (const line of linesWith(farm, '/readyz')) expect(line).not.toHaveProperty('bug')
  expect(farm.lines.filter((line) => line.includes('"state":"lost"'))).toHaveLength(1)
  await wire.mend()
  await expect.poll(poll, { interval: 300 }).toEqual([200, 'ready\n'])
})

test('a database that is dropped cannot be reached, which is no bug', async () => {
  const place = await emptyPlace('postgres')
  const farm = await openFarm({ place })
  const client = await farm.login()
  const server = new URL(place.database ?? '')
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  const administrator = new Client({ connectionString: server.href })
  await administrator.connect()
  await administrator.query(`drop database ${name} with (force)`)
  await administrator.end()
  for (let n = 0; n < 12; n++) {
    const { status, body: said } = await client.get('/log.json')
    expect([status, said.detail]).toEqual([503, 'The database cannot be reached. Try again.'])
  }
  await expect.poll(() => linesWith(farm, '/log.json')).toHaveLength(12)
  for (const line of linesWith(farm, '/log.json')) expect(line).not.toHaveProperty('bug')
})

test('writers who wait too long for one record are told that the farm is busy, not that it is away', async () => {
  const place = await emptyPlace('postgres')
  const impatient = await openPostgres(place.database ?? '', { connections: 2, patience: 1_000 })
  const farm = await openFarm({
    place,
    around: (usual) => {
      atEndOfFile(() => usual.close())
      return impatient
    },
  })
  const client = await farm.login()
  const { id, uuid } = (await client.post('/log?with=uuid', JSON.parse(body))).body
  const other = new Client({ connectionString: place.database ?? '' })
  await other.connect()
  await other.query('begin')
  await other.query('select id from log where id = $1 for update', [id])
  const older = (name: string) => client.put(`/log/${id}`, { name })
  const newer = (name: string) =>
    client.send('PATCH', `/api/log/activity/${uuid}`, {
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'log--activity', id: uuid, attributes: { name } } }),
    })
  const answers = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? older : newer)(`Hay ${n}`))
  await Promise.any(answers)
  await other.query('commit')
  await other.end()
  const sentAway = (await Promise.all(answers)).filter(({ status }) => status !== 200)
  expect(sentAway.length).toBeGreaterThan(0)
  for (const { status, headers, text } of sentAway) {
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(text).toContain('The farm is busy')
  }
  expect(farm.lines.join('')).not.toContain('"lost"')
})
