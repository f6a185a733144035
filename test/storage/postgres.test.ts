import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/open.ts'
import { emptyPlace, openTestDatabase, postgresDatabase } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

async function openWithAddress() {
  const place = await emptyPlace('postgres')
  const database = await openDatabase(place)
  atEndOfFile(() => database.close())
  return { database, address: place.database ?? '' }
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Ends every connection to the database, as a restart of the server would. */
async function terminateBackends(address: string): Promise<void> {
  const client = new Client({ connectionString: address })
  await client.connect()
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await client.query(`select pg_terminate_backend(pid) ${others}`)
  await expect.poll(async () => (await client.query(`select pid ${others}`)).rows, { timeout: 30_000 }).toEqual([])
  await client.end()
}

const count = 'select count(*) as n from setting'

test('a terminated connection refuses the work on it as busy, and the next work succeeds', async () => {
  const { database, address } = await openWithAddress()
  const unlucky = database.write(async (tx) => {
    await tx.insertInto('setting').values({ name: 'unlucky', value: '' }).execute()
    await terminateBackends(address)
    await sql.raw(count).execute(tx)
  })
  await expect(unlucky).rejects.toMatchObject({ refusal: 'busy' })
  await database.write((tx) => tx.insertInto('setting').values({ name: 'lucky', value: '' }).execute())
  const names = await database.read((snapshot) => snapshot.selectFrom('setting').select('name').execute())
  expect(names.map((row) => row.name)).toEqual(['lucky'])
})

test('idle connections that the server ends are replaced without anybody noticing', async () => {
  const { database, address } = await openWithAddress()
  await Promise.all(
    Array.from({ length: 5 }, () => database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())),
  )
  await terminateBackends(address)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())).toEqual([])
})

test('two writes that wait for each other both succeed in the end', async () => {
  const database = await openTestDatabase('postgres')
  await database.write((tx) =>
    tx
      .insertInto('setting')
      .values([
        { name: 'a', value: '' },
        { name: 'b', value: '' },
      ])
      .execute(),
  )
  let attempts = 0
  const held = new Set<string>()
  let letOn = () => {}
  const bothHold = new Promise<void>((resolve) => {
    letOn = resolve
  })
  const crossing = (first: string, second: string) =>
    database.write(async (tx) => {
      attempts++
      await tx.selectFrom('setting').select('name').where('name', '=', first).forUpdate().execute()
      if (held.add(first).size === 2) letOn()
      await bothHold
      await tx.updateTable('setting').set({ value: first }).where('name', '=', second).execute()
    })
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
  expect(attempts).toBeGreaterThan(2)
})

test('statements prepared before another node changed the tables are prepared again', async () => {
  const { database, address } = await openWithAddress()
  const all = () => database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())
  await all()
  const client = new Client({ connectionString: address })
  await client.connect()
  await client.query('alter table setting add column note text')
  await client.end()
  expect(await all()).toEqual([])
})

test('two nodes that start at once on an empty database both find it ready', async () => {
  const place = { data: '', database: await postgresDatabase('template0') }
  const nodes = await Promise.all([openDatabase(place), openDatabase(place), openDatabase(place)])
  for (const node of nodes) atEndOfFile(() => node.close())
  const applied = await Promise.all(
    nodes.map((node) =>
      node.read((snapshot) => snapshot.selectFrom('migration').select('version').orderBy('version').execute()),
    ),
  )
  expect(applied[0]?.map((row) => row.version)).toEqual(applied[0]?.map((_, place) => place + 1))
  expect(applied[1]).toEqual(applied[0])
  expect(applied[2]).toEqual(applied[0])
})

test('of several hosts, the one that can be written to is used', async () => {
  const { database: address } = await emptyPlace('postgres')
  const { host } = new URL(address ?? '')
  const several = `${address?.replace(host, `127.0.0.1:${await closedPort()},${host}`)}?target_session_attrs=read-write`
  const database = await openDatabase({ data: '', database: several })
  atEndOfFile(() => database.close())
  await database.write((tx) => tx.insertInto('setting').values({ name: 'leader', value: host }).execute())
  const found = await database.read((snapshot) => snapshot.selectFrom('setting').select('value').execute())
  expect(found).toEqual([{ value: host }])
})

/** Passes bytes on to a host, until it is silenced: then its connections stay open, and nothing comes. */
async function relayTo(target: string) {
  const { hostname, port } = new URL(`postgres://${target}`)
  const sockets = new Set<Socket>()
  let isSilent = false
  const relay = createServer((from) => {
    const to = connect(Number(port), hostname)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.on('data', (bytes) => isSilent || other.write(bytes))
      one.on('error', () => {}).on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  atEndOfFile(async () => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  const address = relay.address()
  return {
    host: `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    silence: () => {
      isSilent = true
    },
  }
}

test('a host that falls silent is left for another that can be written to', async () => {
  const { database: address } = await emptyPlace('postgres')
  const { host } = new URL(address ?? '')
  const [one, other] = [await relayTo(host), await relayTo(host)]
  const database = await openDatabase({ data: '', database: address?.replace(host, `${one.host},${other.host}`) ?? '' })
  atEndOfFile(() => database.close())
  const write = (name: string) => database.write((tx) => tx.insertInto('setting').values({ name, value: '' }).execute())
  await write('before')
  one.silence()
  await expect(write('silent')).rejects.toMatchObject({ refusal: 'busy', details: { retryAfterSeconds: 1 } })
  await write('after')
  const found = await database.read((snapshot) => snapshot.selectFrom('setting').select('name').execute())
  expect(found.map(({ name }) => name).sort()).toEqual(['after', 'before'])
}, 30_000)

test('a session ends after a minute within an idle transaction, and a read cannot write', async () => {
  const { database } = await openWithAddress()
  const settings = sql<{ timeout: string; reads: string }>`select
    current_setting('idle_in_transaction_session_timeout') as timeout, current_setting('default_transaction_read_only') as reads`
  const inWrite = await database.write((tx) => settings.execute(tx))
  const inRead = await database.ask((snapshot) => snapshot.executeQuery(settings.compile(snapshot as never)))
  expect([...inWrite.rows, ...inRead.rows]).toEqual([
    { timeout: '1min', reads: 'off' },
    { timeout: '1min', reads: 'on' },
  ])
})

test('a server that does not answer is named, without the password', async () => {
  const port = await closedPort()
  const opening = openDatabase({ data: '', database: `postgres://farm:secret@127.0.0.1:${port}/farm` })
  const error: unknown = await opening.catch((refused: unknown) => refused)
  expect(String(error)).toContain(`PostgreSQL at 127.0.0.1:${port}/farm cannot be used`)
  expect(String(error)).not.toContain('secret')
})

test('an address of another kind is refused', async () => {
  await expect(openDatabase({ data: '', database: 'mysql://localhost/farm' })).rejects.toThrow('postgres://')
})
