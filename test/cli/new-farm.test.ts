import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyDirectory, postgresDatabase } from '../harness/databases.ts'
import { furrow } from './built-furrow.ts'

const input = 'green fields 42'

describe('a command that makes a new farm', () => {
  it.each([
    [['user', 'add', 'ada', '--role', 'manager', '--password-stdin']],
    [['config', 'set', 'name', 'Hill farm']],
    [['client', 'add', 'app', '--label', 'App', '--redirect-uri', 'https://app.example/cb']],
  ])('says where: %j', async (args) => {
    const data = join(await emptyDirectory(), 'farm')
    expect(await furrow([...args, '--data', data], { input })).toMatchObject({
      code: 0,
      stderr: `furrow: A new farm was made in ${data}.\n`,
    })
    expect((await furrow([...args, '--data', data], { input })).stderr).not.toContain('new farm')
  })

  it('makes none before there is a password', async () => {
    const data = join(await emptyDirectory(), 'farm')
    const place = ['--data', data]
    const asked = await furrow(['user', 'add', 'ada', '--role', 'manager', ...place])
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('There is no terminal')])
    const taken = await furrow(['user', 'add', 'a:b', '--role', 'manager', '--password-stdin', ...place], { input })
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('holds no colon')])
    expect(existsSync(data)).toBe(false)
    const database = await postgresDatabase('template0')
    const env = { FURROW_DATABASE: database }
    expect((await furrow(['user', 'add', 'ada', '--role', 'manager'], { env })).stderr).toContain('no terminal')
    expect((await furrow(['user', 'list'], { env })).stderr).toContain('There is no farm in the database')
  })

  it('says in which database, and never its address', async () => {
    const database = await postgresDatabase('template0')
    const { code, stderr } = await furrow(['config', 'set', 'name', 'Hill farm'], {
      env: { FURROW_DATABASE: database },
    })
    const name = new URL(database).pathname.slice(1)
    expect([code, stderr]).toEqual([0, `furrow: A new farm was made in the database ${name}.\n`])
  })
})
