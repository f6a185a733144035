import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { setRole } from '../../src/access/accounts.ts'
import { listClients } from '../../src/access/oauth/registration.ts'
import { hashOf, newSecret } from '../../src/access/secrets.ts'
import { wallClock } from '../../src/clock.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { accountsAndGrants } from '../../src/storage/migrations/0008-accounts-and-grants.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { refreshRequest, token } from '../access/flow.ts'
import { emptyDirectory, engines, postgresDatabase } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'

/** A farm from before it was known which grant began a family: two managers, two clients, and what one of them was given. */
async function earlierFarm(engine: (typeof engines)[number], refreshToken: string) {
  const data = await emptyDirectory()
  const address = engine === 'postgres' ? await postgresDatabase('template0') : null
  const database = address === null ? await openSqlite(join(data, 'farm.sqlite')) : await openPostgres(address)
  await migrate(database, wallClock, { upTo: accountsAndGrants.version - 1 })
  const now = wallClock()
  await database.write(async (tx) => {
    for (const name of ['ada', 'bob'])
      await sql`insert into account (uuid, name, name_key, mail, mail_key, language, role, password_hash, blocked, created)
        values (${name}, ${name}, ${name}, '', '', 'en', 'manager', 'none', 0, 1)`.execute(tx)
    for (const [id, form] of [
      ['unsaid', 'string'],
      ['strict', 'number'],
    ])
      await sql`insert into client values (${id}, ${id}, null, '["password"]', '["farm_worker"]', '[]', '[]', '[]', 'optional', ${form},
        3600, 1209600, 60, 0, 1, null, 1)`.execute(tx)
    await sql`insert into token_family (id, client, uid, scope, created, ends)
      values ('family', 'farm', 1, 'farm_manager farm_worker', ${now}, ${now + 86_400})`.execute(tx)
    await sql`insert into refresh_token (hash, family, issued, expires, rotated)
      values (${hashOf(refreshToken)}, 'family', ${now}, ${now + 86_400}, null)`.execute(tx)
  })
  await database.close()
  return openFarm({ place: { data, database: address } })
}

describe.each(engines)('access after an upgrade on %s', (engine) => {
  test('clients that never said how expires_in is written have it by scope, the others as they said, and fieldkit is there', async () => {
    const farm = await earlierFarm(engine, newSecret())
    const forms = (await listClients(farm.installation)).map(({ id, expiresIn }) => [id, expiresIn])
    expect(Object.fromEntries(forms)).toMatchObject({
      farm: 'by-scope',
      fieldkit: 'by-scope',
      unsaid: 'by-scope',
      strict: 'number',
    })
  })

  test('a login from before goes on, and its scopes are cut as they were then', async () => {
    const refreshToken = newSecret()
    const farm = await earlierFarm(engine, refreshToken)
    await setRole(farm.installation, 'ada', 'worker')
    const { body } = await token(farm, refreshRequest(refreshToken))
    expect(body).toMatchObject({ scope: 'farm_worker', expires_in: 3600, access_token: expect.stringContaining('.ey') })
  })
})
