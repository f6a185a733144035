import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { furrow } from '../cli/built-furrow.ts'
import { emptyDirectory, postgresDatabase } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

const input = 'green fields 42'
const adding = ['user', 'add', 'ada', '--role', 'manager', '--password-stdin']

async function run(address: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The statement that a refusal asks for. */
const grantIn = (stderr: string): string => /(GRANT [^;]+;)/.exec(stderr)?.[1] ?? ''

describe('a user of PostgreSQL without rights', () => {
  const user = `farmer_${randomBytes(4).toString('hex')}`
  let administrator: string
  let address: string
  let data: string

  beforeAll(async () => {
    administrator = await postgresDatabase('template0')
    const own = new URL(administrator)
    own.username = user
    own.password = 'carrots'
    address = own.href
    data = await emptyDirectory()
    // As a database of PostgreSQL 15 and newer is from the beginning.
    await run(
      administrator,
      `create role ${user} login password 'carrots'`,
      'revoke create on schema public from public',
    )
    atEndOfFile(() => run(administrator, `drop owned by ${user} cascade`, `drop role ${user}`))
  })

  const asked = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await furrow(args, { env: { FURROW_DATABASE: address, FURROW_DATA: data }, input })
    expect(stderr).not.toMatch(/\n\s+at |carrots/)
    return { code, stdout, stderr }
  }

  const name = () => new URL(administrator).pathname.slice(1)

  test('is told which right is missing on the schema, and the statement that gives it', async () => {
    for (const args of [['serve', '--port', '0'], adding, ['user', 'list'], ['doctor']]) {
      const { code, stderr } = await asked(...args)
      expect([code, stderr]).toEqual([
        1,
        `furrow: The user ${user} may not create tables in the schema public of the database ${name()}. ` +
          `As an administrator of that database run: GRANT USAGE, CREATE ON SCHEMA "public" TO "${user}";\n`,
      ])
    }
    await run(administrator, 'revoke usage on schema public from public')
    const { stderr } = await asked('user', 'list')
    expect(stderr).toContain(`The user ${user} may not use the schema public of the database ${name()}.`)
    await run(administrator, grantIn(stderr))
    expect(await asked(...adding)).toMatchObject({ code: 0 })
    expect((await asked('user', 'list')).stdout).toContain('ada')
  })

  test('is told likewise before a restore, which makes a schema', async () => {
    const archive = join(await emptyDirectory(), 'farm.tar.gz')
    expect(await asked('backup', archive)).toMatchObject({ code: 0 })
    const { code, stderr } = await asked('restore', archive, '--replace')
    expect([code, stderr]).toEqual([1, expect.stringContaining(`permission denied for database ${name()}`)])
    expect(grantIn(stderr)).toBe(`GRANT CREATE ON DATABASE "${name()}" TO "${user}";`)
    await run(administrator, grantIn(stderr))
    expect(await asked('restore', archive, '--replace')).toMatchObject({ code: 0 })
  })

  test('is told likewise where the tables are those of another', async () => {
    const owner = new URL(administrator).username
    await run(administrator, `reassign owned by ${user} to ${owner}`)
    const { code, stderr } = await asked('user', 'list')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/permission denied for table \w+\)\. As an administrator/),
    ])
    await run(administrator, grantIn(stderr).replace('OWNER', owner))
    expect((await asked('user', 'list')).stdout).toContain('ada')
    await run(administrator, `revoke ${owner} from ${user}`)
  })
})
