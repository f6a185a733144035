import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listEvents } from '../../src/access/events.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { wholeOf } from '../../src/storage/backup/manifest.ts'
import { verify } from '../../src/storage/backup/verification.ts'
import { person } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const { browser, password, uid } = await person(farm)
const token = (await browser.get('/restws/session/token')).text
const headers = { cookie: browser.cookie, 'x-csrf-token': token, 'content-type': 'application/json' }

const backup = (content: unknown) =>
  fetch(`${farm.base}/administer/backup`, { method: 'POST', headers, body: JSON.stringify(content) })
const lastBackup = async (): Promise<string | null> =>
  (await farm.anonymous.get('/administer/settings.json', headers)).body.last_backup

test('a backup is downloaded, can be trusted, and is noted', async () => {
  expect(await lastBackup()).toBeNull()
  const before = Math.floor(Date.now() / 1000)
  const answer = await backup({ password })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="farm-\d{4}-\d\d-\d\d\.tar\.gz"$/)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(String(bytes.length)).toBe(answer.headers.get('content-length'))
  const file = join(await mkdtemp(join(tmpdir(), 'furrow-')), 'farm.tar.gz')
  await writeFile(file, bytes)
  const manifest = await verify(archiveAt(file), () => {})
  expect(manifest.rows.account).toBe(1)
  expect(Number(await lastBackup())).toBeGreaterThanOrEqual(before)
  const [event] = await listEvents(farm.installation, { kinds: ['backup-downloaded'], since: 0, most: 1 })
  expect(event).toMatchObject({ uid })
  const { database, data } = farm.installation.settings
  if (database === null) expect(await readdir(data)).not.toContain('download')
})

test('a farm that is restored from a backup knows of none', async () => {
  expect(await lastBackup()).not.toBeNull()
  const file = join(await mkdtemp(join(tmpdir(), 'furrow-')), 'farm.tar.gz')
  await writeFile(file, Buffer.from(await (await backup({ password })).arrayBuffer()))
  const rows: string[] = []
  for await (const entry of archiveAt(file).entries()) {
    const text = String(await wholeOf(entry))
    if (entry.name.startsWith('setting/')) rows.push(text)
  }
  expect(rows.join('')).toContain('farm_uuid')
  expect(rows.join('')).not.toContain('last_backup')
})

test('a backup takes the password in the request itself', async () => {
  for (const content of [{}, { password: '' }, { password: 'not this one' }]) {
    const answer = await backup(content)
    expect([answer.status, ((await answer.json()) as { type: string }).type]).toEqual([
      400,
      'urn:furrow:refusal:wrong-password',
    ])
  }
})

test('backups are made one at a time', async () => {
  const answers = await Promise.all([backup({ password }), backup({ password })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  for (const answer of answers) {
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status === 409) expect(JSON.parse(bytes.toString()).type).toBe('urn:furrow:refusal:backup-running')
  }
  // A client has the last byte a moment before the server has closed the file.
  const again = async () => {
    const answer = await backup({ password })
    await answer.arrayBuffer()
    return answer.status
  }
  await expect.poll(again).toBe(200)
})

/** The status of a backup that was read to its end. */
const backedUp = async (): Promise<number> => {
  const answer = await backup({ password })
  await answer.arrayBuffer()
  return answer.status
}

test('somebody who goes away before the backup is made stands in nobody’s way', async () => {
  const going = new AbortController()
  const asked = fetch(`${farm.base}/administer/backup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ password }),
    signal: going.signal,
  })
  setTimeout(() => going.abort(), 120)
  await asked.catch(() => {})
  await expect.poll(backedUp).toBe(200)
})

/** Keeps the farm from noting that a backup was fetched. */
const noNotes = {
  sqlite: {
    on: [
      "create trigger no_notes before insert on access_event when new.event = 'backup-downloaded' begin select raise(abort, 'no'); end",
    ],
    off: ['drop trigger no_notes'],
  },
  postgres: {
    on: [
      "create function no_notes() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
      "create trigger no_notes before insert on access_event for each row when (new.event = 'backup-downloaded') execute function no_notes()",
    ],
    off: ['drop trigger no_notes on access_event', 'drop function no_notes()'],
  },
} as const

test('a backup that cannot be noted is not given away, and the next one can be made', async () => {
  const { database } = farm.installation
  const turn = (way: 'on' | 'off') =>
    database.write(async (tx) => {
      for (const statement of noNotes[tx.engine][way]) await sql.raw(statement).execute(tx)
    })
  await turn('on')
  // The backup of the test before may still be ending: then this one is refused as the second.
  await expect.poll(backedUp).toBeGreaterThanOrEqual(500)
  await turn('off')
  await expect.poll(backedUp).toBe(200)
})

test('the doctor says in one sentence how the farm is', async () => {
  const answers = await Promise.all([1, 2].map(() => farm.anonymous.get('/administer/doctor.json', headers)))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body.sentence).not.toBe('')
    if (body.findings.length === 0) expect(body.sound).toBe(true)
  }
  expect(answers[0]?.body).toEqual(answers[1]?.body)
})
