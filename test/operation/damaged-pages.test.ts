import { cp, open } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { onPlainFile } from '../../src/storage/backup/plain-file.ts'
import type { StoragePlace } from '../../src/storage/open.ts'
import { furrow } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { growFarm } from './grown-farm.ts'
import { letGoOf } from './moves.ts'

const pageBytes = 4096

let grown: StoragePlace

beforeAll(async () => {
  grown = await emptyPlace('sqlite')
  const farm = await openFarm({ place: grown })
  await growFarm(farm)
  await farm.close()
  await letGoOf(grown)
})

/** A farm whose table or index of this name begins with a page of nonsense. */
async function damagedIn(name: string): Promise<string> {
  const data = await emptyDirectory()
  await cp(grown.data, data, { recursive: true })
  const path = join(data, 'farm.sqlite')
  const [page] = onPlainFile(path, (file) => file.list('rootpage', `sqlite_master where name = '${name}'`))
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(pageBytes, 0x5a), 0, pageBytes, (Number(page) - 1) * pageBytes)
  await file.close()
  return data
}

describe('a farm with a damaged page', () => {
  test('loses nothing by a backup and a restore where the page was one of an index', async () => {
    const data = await damagedIn('log_by_name_key')
    const doctor = await furrow(['doctor', '--data', data])
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toContain('To mend: try `furrow backup FILE` first: if it succeeds, `furrow restore FILE')
    expect(doctor.stdout).toContain('else restore the last backup from before the damage.')
    const file = join(await emptyDirectory(), 'farm.tar.gz')
    const written = await furrow(['backup', file, '--data', data])
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('3 logs, 3 assets') })
    expect(await furrow(['restore', file, '--replace', '--data', data])).toMatchObject({ code: 0 })
    expect(await furrow(['doctor', '--data', data])).toMatchObject({ code: 0 })
  })

  test('is named in one sentence that says what to do by whichever command meets it, and can be replaced', async () => {
    const data = await damagedIn('log')
    const folder = await emptyDirectory()
    const said =
      /^furrow: The database is damaged \([^\n]*\)\. `furrow doctor` says [^\n]* `furrow restore FILE --replace` puts [^\n]*\n$/
    for (const args of [
      ['backup', join(folder, 'farm.tar.gz')],
      ['export', join(folder, 'export')],
    ]) {
      const { code, stdout, stderr } = await furrow([...args, '--data', data])
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(said)])
    }
    const schema = await damagedIn('migration')
    for (const args of [
      ['serve', '--port', '0'],
      ['user', 'list'],
      ['config', 'set', 'name', 'Hill farm'],
    ]) {
      const { code, stdout, stderr } = await furrow([...args, '--data', schema])
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(said)])
    }
    const archive = join(folder, 'good.tar.gz')
    const good = await damagedIn('log_by_name_key')
    await furrow(['backup', archive, '--data', good])
    expect(await furrow(['restore', archive, '--replace', '--data', schema])).toMatchObject({ code: 0 })
    expect(await furrow(['doctor', '--data', schema])).toMatchObject({ code: 0 })
  })
})
