import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDirectory, postgresDatabase } from '../harness/databases.ts'
import { builtMain, furrow } from './built-furrow.ts'

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

  it('is named where a backup would take the place of what is there, whatever that is', async () => {
    const folder = await emptyDirectory()
    const [pipe, link, unfinished] = ['pipe', 'link', 'unfinished'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    execFileSync('mkfifo', [pipe])
    await symlink(join(folder, 'nothing'), link)
    await writeFile(`${unfinished}.partial`, '')
    const asked = [
      [pipe, `${pipe} is there already and is not overwritten.`],
      [link, `${link} is there already and is not overwritten.`],
      [folder, `${folder} is a directory. Name the file to write, such as ${join(folder, 'farm.tar.gz')}.`],
      [unfinished, `${unfinished}.partial is there: another backup is writing it, or one was cut short. Delete it`],
    ] as const
    for (const [file, sentence] of asked) {
      const { code, stderr } = await furrow(['backup', file, '--data', data])
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    }
    expect((await readdir(folder)).sort()).toEqual(['link', 'pipe', 'unfinished.partial'])
  })

  it('is named as it was typed where nothing can be written to it', async () => {
    const long = join(await emptyDirectory(), 'f'.repeat(250))
    const { code, stderr } = await furrow(['backup', long, '--data', data])
    expect([code, stderr]).toEqual([1, `furrow: ${long} cannot be written: its name is too long.\n`])
  })

  it('is named where what should be read is no file, no backup and no whole export', async () => {
    const folder = await emptyDirectory()
    const [pipe, letter] = [join(folder, 'pipe'), join(folder, 'letter')]
    execFileSync('mkfifo', [pipe])
    await writeFile(letter, 'Dear neighbour, '.repeat(100))
    const asked = [
      [['verify', pipe], `${pipe} is not a file on a disk, such as a pipe. Save the backup to a file first.`],
      [
        ['verify', letter],
        `${letter} cannot be trusted: its seal is broken: it was cut short or changed, or is no backup.`,
      ],
      [['import', folder], `${folder} has no manifest.json: it is no export, or one that was cut short.`],
    ] as const
    for (const [args, sentence] of asked) {
      const { code, stderr } = await furrow(args)
      expect([code, stderr]).toEqual([1, `furrow: ${sentence}\n`])
    }
  })

  it('is told to be full or failing where a farm finds no room, and nothing is left of it', async () => {
    const place = join(await emptyDirectory(), 'small')
    const line = `ulimit -f 200; exec '${process.execPath}' '${await builtMain()}' restore '${archive}' --data '${place}'`
    const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^furrow: Nothing was changed, .* full or failing.*\n$/),
    ])
    expect(await readdir(place)).toEqual([])
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

  it('is named where a database, or a file, has no farm in it, and none is made', async () => {
    const empty = await emptyDirectory()
    await writeFile(join(empty, 'farm.sqlite'), '')
    const database = await postgresDatabase('template0')
    const name = new URL(database).pathname.slice(1)
    const asked = [
      [{ FURROW_DATA: empty }, `There is no farm in ${empty}. Say where it is with --data.`],
      [{ FURROW_DATABASE: database }, `There is no farm in the database ${name}. Say where it is with FURROW_DATABASE`],
    ] as const
    for (const [env, sentence] of asked) {
      for (const args of [['doctor'], ['backup', join(empty, 'farm.tar.gz')]]) {
        const { code, stderr } = await furrow(args, { env })
        expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
      }
    }
  })
})
