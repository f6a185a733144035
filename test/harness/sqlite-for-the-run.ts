import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { copyWhole } from '../../src/storage/backup/plain-file.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { placeOfFarms } from './memory-for-the-run.ts'
import './databases.ts'

/** Makes the tables once for the whole run: farms of the tests begin with a copy of the file. */
export default async function setUp(root: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_NEEDS_FARM === 'no') return undefined
  const data = await mkdtemp(join(placeOfFarms(), 'furrow-test-'))
  const template = join(data, 'template.sqlite')
  await (await openDatabase({ data, database: null })).close()
  // What was written last may still be in the write-ahead log.
  copyWhole(join(data, 'farm.sqlite'), template)
  root.provide('sqliteTemplate', template)
  return () => rm(data, { recursive: true, force: true })
}
