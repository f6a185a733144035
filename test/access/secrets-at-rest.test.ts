import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client as PostgresClient } from 'pg'
import { expect, test } from 'vitest'
import { prepareFirstRun } from '../../src/access/first-run.ts'
import { invite, makePasswordLink } from '../../src/access/invitations.ts'
import { engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { app, basic, codeFor, passwordRequest, person, redemption, refreshRequest, token } from './flow.ts'

/** Everything that a farm keeps: the files of its data directory, or every row of every table. */
async function everythingKept(farm: FarmUnderTest): Promise<string> {
  const { data, database } = farm.installation.settings
  if (database === null) {
    const names = await readdir(data)
    return (await Promise.all(names.map((name) => readFile(join(data, name), 'latin1')))).join('\n')
  }
  const client = new PostgresClient({ connectionString: database })
  await client.connect()
  try {
    const { rows: tables } = await client.query("select tablename from pg_tables where schemaname = 'public'")
    const contents: string[] = []
    for (const { tablename } of tables) {
      const { rows } = await client.query(`select row_to_json(kept)::text as row from "${tablename}" kept`)
      contents.push(...rows.map(({ row }) => row))
    }
    return contents.join('\n')
  } finally {
    await client.end()
  }
}

async function argumentsOfProcesses(): Promise<string> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return all.join('\n')
}

test.each(engines)('ON-89 nothing secret is kept in clear, logged, or told by anyone, on %s', async (engine) => {
  const farm = await openFarm({ engine, settings: { basicAuth: /./ } })
  const setup = new URL((await prepareFirstRun(farm.installation)) ?? '', farm.base)
  await farm.anonymous.get(setup.pathname + setup.search)
  const ada = await person(farm)
  const confidential = await app(farm, { secret: true })
  const csrf = (await ada.browser.get('/restws/session/token')).text
  const session = ada.browser.cookie.split('=')[1] ?? ''
  const unspent = await codeFor(ada, confidential)
  const spent = await codeFor(ada, confidential)
  const { body: byCode } = await token(farm, redemption(confidential, spent))
  const { body: first } = await token(farm, passwordRequest(ada))
  const { body: second } = await token(farm, refreshRequest(first.refresh_token))
  const { key: invitation } = await invite(farm.installation, { role: 'worker', name: '', by: ada.uid })
  const { key: passwordLink } = await makePasswordLink(farm.installation, { uid: ada.uid, by: ada.uid })
  const shown = (path: string, key: string) =>
    farm.anonymous.send('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key, name: 'guest', password: 'short' }),
    })
  const secrets = {
    invitation,
    passwordLink,
    password: ada.password,
    client: confidential.secret,
    setup: setup.searchParams.get('key') ?? '',
    csrf,
    session,
    unspent,
    spent,
    accessByCode: byCode.access_token,
    refreshByCode: byCode.refresh_token,
    firstAccess: first.access_token,
    firstRefresh: first.refresh_token,
    access: second.access_token,
    refresh: second.refresh_token,
  }
  const bearer = { authorization: `Bearer ${second.access_token}` }
  const told = [
    await farm.anonymous.get('/farm.json', bearer),
    await farm.anonymous.get('/user.json', bearer),
    await farm.anonymous.get('/log.json?nonsense=1', bearer),
    await farm.anonymous.get('/log.json', { authorization: basic(ada.name, ada.password) }),
    await token(farm, passwordRequest(ada, { scope: 'nonsense' })),
    await token(farm, redemption(confidential, spent)),
    await shown('/invitation.json', invitation),
    await shown('/new-password.json', passwordLink),
    await farm.anonymous.get(`/log.json?access_token=${second.access_token}`),
  ]
  const answers = told.map(
    ({ text, headers }) => text + JSON.stringify([...headers].filter(([name]) => name !== 'set-cookie')),
  )
  const processes = await argumentsOfProcesses()
  const kept = await everythingKept(farm)
  expect(kept).toContain(ada.name)
  const places = { kept, log: farm.lines.join(''), answers: answers.join('\n'), processes }
  for (const [place, text] of Object.entries(places)) {
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length).toBeGreaterThan(12)
      expect(text.includes(secret), `the ${name} secret is in the ${place}`).toBe(false)
      const encoded = Buffer.from(secret, 'base64url').toString('hex')
      expect(text.includes(encoded), `the ${name} secret is in the ${place} in hexadecimal`).toBe(false)
    }
  }
})
