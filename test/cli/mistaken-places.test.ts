import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { furrow } from './built-furrow.ts'

/** What an operator types at night, and what is said to it. */
describe('a place that is not what the command takes', () => {
  let data: string
  let archive: string
  let directory: string

  beforeAll(async () => {
    const folder = await emptyDirectory()
    data = join(folder, 'farm')
    archive = join(folder, 'farm.tar.gz')
    directory = join(folder, 'export')
    const added = ['user', 'add', 'ada', '--role', 'manager', '--password-stdin', '--data', data]
    await furrow(added, { input: 'green fields 42' })
    const written = await furrow(['backup', archive, '--data', data])
    expect(written.stdout).toContain('(0 bytes)')
    expect(await furrow(['export', directory, '--data', data])).toMatchObject({ code: 0 })
  })

  it('is named where a backup should go into a directory that is not there', async () => {
    const nowhere = join(data, 'nowhere')
    const { code, stderr } = await furrow(['backup', join(nowhere, 'farm.tar.gz'), '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${nowhere} does not exist. Create it`)])
    const file = await furrow(['backup', join(archive, 'farm.tar.gz'), '--data', data])
    expect([file.code, file.stderr]).toEqual([1, expect.stringContaining(`${archive} is not a directory.`)])
  })

  it('is handed on to the command that takes it', async () => {
    const place = join(data, 'new')
    const asked = [
      [['import', archive, '--data', place], `furrow restore ${archive}`],
      [['restore', directory, '--data', place], `furrow import ${directory}`],
      [['verify', directory], `furrow import ${directory}`],
    ] as const
    for (const [args, advice] of asked) {
      const { code, stdout, stderr } = await furrow(args)
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(advice)])
    }
    expect(existsSync(place)).toBe(false)
  })

  it('is named in full, with the place where the farm before was put, when it was restored', async () => {
    const args = ['--data', relative(process.cwd(), data)]
    expect((await furrow(['restore', archive, ...args])).stderr).toContain(`There is a farm in ${data} already`)
    const { code, stdout } = await furrow(['restore', archive, '--replace', ...args])
    expect(code).toBe(0)
    expect(stdout).toContain(`The farm in ${data} now is what was in ${archive}:`)
    const [, aside = ''] = /is kept in (\S+\.sqlite)\./.exec(stdout) ?? []
    expect(aside.startsWith(`${data}/farm-before-`)).toBe(true)
    expect(existsSync(aside)).toBe(true)
  })

  it('is named in full where there is no farm', async () => {
    const empty = await emptyDirectory()
    await writeFile(join(empty, 'a-file'), '')
    for (const place of [empty, join(empty, 'a-file')]) {
      const { code, stderr } = await furrow(['doctor', '--data', relative(process.cwd(), place)])
      expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no farm in ${place}.`)])
    }
  })
})
