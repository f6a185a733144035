import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { Database, Engine } from '../../src/storage/database.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { atEndOfFile } from './end-of-file.ts'
import { placeOfFarms } from './memory-for-the-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine that this project runs the spec tests on. */
    engine: Engine
    /** A SQLite file with tables and nothing in them. */
    sqliteTemplate: string
    /** `copying` says how a database is made after its template, where the server has a choice. */
    postgres: { readonly url: string; readonly prefix: string; readonly template: string; readonly copying: string }
  }
}

export const engines: readonly Engine[] = ['sqlite', 'postgres']

/** For the spec files, which run once per engine. */
export function engineUnderTest(): Engine {
  return inject('engine')
}

/** A database of one's own, with its tables, closed and removed at the end of the test file. */
export async function openTestDatabase(engine: Engine): Promise<Database> {
  const database = await openDatabase(await emptyPlace(engine))
  atEndOfFile(() => database.close())
  return database
}

/** An empty place whose tables need not be made any more, on either engine. */
export async function placeWithTables(engine: Engine): Promise<StoragePlace> {
  const place = await emptyPlace(engine)
  if (engine === 'sqlite') await copyFile(inject('sqliteTemplate'), join(place.data, 'farm.sqlite'))
  return place
}

/** An empty place to open or to serve from, removed at the end of the test file. */
export async function emptyPlace(engine: Engine): Promise<StoragePlace> {
  const data = await emptyDirectory()
  return { data, database: engine === 'postgres' ? await postgresDatabase(inject('postgres').template) : null }
}

export async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(placeOfFarms(), 'furrow-test-'))
  atEndOfFile(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A PostgreSQL database made after `template`: the migrated one, or `template0` for one without any tables. */
export async function postgresDatabase(template: string): Promise<string> {
  const { url, prefix, copying } = inject('postgres')
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await runOnServer(`create database ${name} template ${template} ${copying}`)
  atEndOfFile(() => runOnServer(`drop database if exists ${name} with (force)`))
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function runOnServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgres').url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
