import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { builtMain, furrow, serve } from './built-furrow.ts'

const input = 'green fields 42'
const adding = (name: string) => ['user', 'add', name, '--role', 'manager', '--password-stdin']

describe('a farm whose file is lost', () => {
  let archive: string
  let farm: string

  beforeAll(async () => {
    const folder = await emptyDirectory()
    archive = join(folder, 'farm.tar.gz')
    farm = join(folder, 'farm')
    await furrow([...adding('ada'), '--data', farm], { input })
    expect(await furrow(['backup', archive, '--data', farm])).toMatchObject({ code: 0 })
    expect(await furrow(['restore', archive, '--replace', '--data', farm])).toMatchObject({ code: 0 })
  })

  /** A farm that was restored over another, and so has one beside it. */
  async function farmWithPast(): Promise<string> {
    const data = await emptyDirectory()
    await cp(farm, data, { recursive: true })
    return data
  }

  async function onlyLock(data: string): Promise<void> {
    for (const name of await readdir(data)) if (name.startsWith('farm')) await rm(join(data, name))
  }

  const harms: Readonly<Record<string, readonly [(data: string) => Promise<void>, RegExp]>> = {
    'missing beside one that was kept': [
      (data) => rm(join(data, 'farm.sqlite')),
      /its farm\.sqlite is missing; beside it is farm-before-\d+_\w+\.sqlite, server\.lock\./,
    ],
    'empty beside one that was kept': [
      (data) => truncate(join(data, 'farm.sqlite')),
      /its farm\.sqlite is empty; beside it is farm-before-\d+_\w+\.sqlite, server\.lock\./,
    ],
    'missing beside a copy from before an upgrade': [
      (data) => rename(join(data, 'farm.sqlite'), join(data, 'farm-version-3-20261115.sqlite')),
      /its farm\.sqlite is missing; beside it is .*farm-version-3-20261115\.sqlite, server\.lock\./,
    ],
    'missing beside its write-ahead log': [
      async (data) => {
        await onlyLock(data)
        await writeFile(join(data, 'farm.sqlite-wal'), 'what was written last')
      },
      /its farm\.sqlite is missing; beside it is farm\.sqlite-wal, server\.lock\./,
    ],
    'missing beside what SQLite keeps of an open one': [
      async (data) => {
        await onlyLock(data)
        for (const suffix of ['-wal', '-shm']) await writeFile(join(data, `farm.sqlite${suffix}`), '')
      },
      /its farm\.sqlite is missing; beside it is farm\.sqlite-shm, farm\.sqlite-wal, server\.lock\./,
    ],
    'missing beside its lock': [onlyLock, /its farm\.sqlite is missing; beside it is server\.lock\./],
    'empty beside its lock': [
      async (data) => {
        await onlyLock(data)
        await writeFile(join(data, 'farm.sqlite'), '')
      },
      /its farm\.sqlite is empty; beside it is server\.lock\./,
    ],
  }

  it.each(Object.entries(harms))('is not taken for a new one: %s', async (_, [harm, found]) => {
    const data = await farmWithPast()
    await harm(data)
    const before = (await readdir(data)).sort()
    for (const args of [['serve', '--port', '0'], adding('eve'), ['config', 'set', 'name', 'x'], ['doctor']]) {
      const { code, stdout, stderr } = await furrow([...args, '--data', data], { input })
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(found)])
      expect(stderr).toContain(`There has been a farm in ${data}, but`)
      expect(stderr).toContain('restore the last backup with `furrow restore FILE`')
    }
    expect((await readdir(data)).sort()).toEqual(before)
    expect(await furrow(['restore', archive, '--data', data])).toMatchObject({ code: 0 })
    expect((await furrow(['user', 'list', '--data', data])).stdout).toContain('ada')
  })

  it('keeps its write-ahead log aside when a backup takes its place, which does not take the log for its own', async () => {
    const data = await farmWithPast()
    await writeFile(join(data, 'farm.sqlite-wal'), 'what was written last')
    await truncate(join(data, 'farm.sqlite'))
    const { stdout } = await furrow(['restore', archive, '--data', data])
    const [, log = ''] = /What was there before is kept in (\S+\.sqlite-wal)\.\n$/.exec(stdout) ?? []
    expect(log.startsWith(`${data}/farm-before-`)).toBe(true)
    expect([existsSync(log), existsSync(join(data, 'farm.sqlite-wal'))]).toEqual([true, false])
    expect(await furrow(['doctor', '--data', data])).toMatchObject({ code: 0 })
  })

  it('is no hindrance to a first farm: an empty file alone is one that was never begun', async () => {
    const data = await emptyDirectory()
    await writeFile(join(data, 'farm.sqlite'), '')
    expect(await (await serve(['--data', data])).stop()).toBe(0)
  })

  it('is told from a first start that was killed, which can be tried again', async () => {
    const data = await emptyDirectory()
    await writeFile(join(data, 'server.lock'), '')
    const { code, stderr } = await furrow(['serve', '--port', '0', '--data', data])
    const sentence =
      'If no farm was ever begun there, as where a first start was killed, delete server.lock and try again.'
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    await rm(join(data, 'server.lock'))
    expect(await (await serve(['--data', data])).stop()).toBe(0)
  })

  it('is not left behind by a start or a restore that fails before there is a farm', async () => {
    const folder = await emptyDirectory()
    const [data, letter] = [join(folder, 'new'), join(folder, 'letter.mjs')]
    await writeFile(letter, 'Dear neighbour,')
    for (const args of [
      ['serve', '--port', '0', '--module', letter],
      ['restore', archive, '--module', letter],
    ])
      expect(await furrow([...args, '--data', data])).toMatchObject({ code: 1 })
    const line = `ulimit -f 20; exec '${process.execPath}' '${await builtMain()}' serve --data '${data}'`
    expect(spawnSync('sh', ['-c', line]).status).toBe(1)
    expect(await (await serve(['--data', data])).stop()).toBe(0)
  })

  it('may be made beside a command that makes it, and is the only one', async () => {
    const data = join(await emptyDirectory(), 'new')
    const [server, ...outcomes] = await Promise.all([
      serve(['--data', data]),
      ...['ada', 'eve', 'joe'].map((name) => furrow([...adding(name), '--data', data], { input })),
    ])
    expect(outcomes.map(({ code, stderr }) => [code, stderr.replace(/^furrow: A new farm .*\n/, '')])).toEqual(
      outcomes.map(() => [0, '']),
    )
    expect(await server.stop()).toBe(0)
    const { stdout } = await furrow(['user', 'list', '--data', data])
    for (const name of ['ada', 'eve', 'joe']) expect(stdout).toContain(name)
  })
})
