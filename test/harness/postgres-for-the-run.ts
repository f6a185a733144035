import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/storage/open.ts'
import { startPostgres } from './postgres-server.ts'
import './databases.ts'

const needPostgres = ['postgres', 'rooms']

/** One PostgreSQL for the whole run: the one at DATABASE_URL, or one of our own that ends with the run. */
export default async function setUp(root: TestProject): Promise<(() => Promise<void>) | undefined> {
  const isNeeded = root.vitest.projects.some((project) => needPostgres.includes(project.name))
  if (!isNeeded || process.env.TEST_NEEDS_FARM === 'no') return undefined
  const given = process.env.DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startPostgres().catch(explain)
  const prefix = `furrow_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  const tearDown = async () => {
    try {
      await dropDatabases(server.url, prefix)
    } finally {
      await server.stop()
    }
  }
  let copying = ''
  try {
    await onServer(server.url, async (client) => {
      await client.query(`create database ${template} encoding 'UTF8' template template0`)
      copying = copyingOf((await client.query<Version>('show server_version_num')).rows)
    })
    const address = new URL(server.url)
    address.pathname = `/${template}`
    await (await openDatabase({ data: '', database: address.href })).close()
  } catch (error) {
    await tearDown()
    explain(error)
  }
  root.provide('postgres', { url: server.url, prefix, template, copying })
  return tearDown
}

interface Version {
  readonly server_version_num: string
}

/** To copy its files costs less than to write a database page by page into the log, which is usual since version 15. */
const copyingOf = ([version]: readonly Version[]): string =>
  Number(version?.server_version_num) >= 150_000 ? 'strategy file_copy' : ''

function explain(error: unknown): never {
  throw new Error(
    'The tests need PostgreSQL 14 or newer, and none could be started here. ' +
      'Give the address of one whose user may create databases, for example ' +
      `DATABASE_URL=postgres://user:password@127.0.0.1:5432/postgres npm test\n\n${String(error)}`,
    { cause: error },
  )
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  })
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
