import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import {
  decrypted,
  encrypted,
  identityIn,
  publicOf,
  recipientIn,
  spelledIdentity,
  spelledRecipient,
} from '../../src/storage/backup/age.ts'
import { type BackupIntoOptions, backUpInto } from '../../src/storage/backup/back-up-into.ts'
import { keysToRead } from '../../src/storage/backup/backup-keys.ts'
import { backupSource, keepRuleIn, keptTimes, listBackups } from '../../src/storage/backup/backup-store.ts'
import { verify } from '../../src/storage/backup/verification.ts'
import { ensureBackupKey } from '../../src/storage/settings.ts'
import { builtMain, furrow } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { inTurnsOn } from '../harness/share-of-engine.ts'
import { growFarm } from './grown-farm.ts'
import { exported, filesOf, moveTo, quiet } from './moves.ts'

/** As `age-keygen` wrote it, and what `age` 1.1.1 has encrypted for it. */
const identity = `# created: 2026-11-18T07:31:10Z
# public key: age18ntuuagf006za454dt969v3aq9qqfsav0h40e4yzsv5sw06fw5cs2lrmvy
AGE-SECRET-KEY-1KLZS4SDPEJ2EAES859GRSX6FGEHC30J9GLRXV2QHS2LSV8ELRSVQ2AYCGK
`
const recipient = 'age18ntuuagf006za454dt969v3aq9qqfsav0h40e4yzsv5sw06fw5cs2lrmvy'
const byAge =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBkaXpnQ0luNnN5alhvNUZScGY0YnlPTjlIUHZtdStaNHlLUFNPWVE0aWxrCmhxR0dxWmZXQUo4eU9xWmZKM1ZUNVQ5Y29IMTRxbVpCZWswMTNHSlNoQW8KLS0tIFRRMEwzQTMwejFrRVZPR3kzZGVPdC9oVzM0TGE3NCtZbGN1QVVzWCs5aGsK6kc/xLAqGaYeyNeBWeK8X7yurzW2ekYxHqc5KDUJE3btAkCvHptUxF1O/xbigA=='

async function* parts(...all: Uint8Array[]) {
  yield* all
}

async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of bytes) all.push(chunk)
  return Buffer.concat(all)
}

describe('the encryption of age', () => {
  test('reads what age has written, and spells keys as age does', async () => {
    const secret = identityIn(identity)
    expect(spelledRecipient(publicOf(secret))).toBe(recipient)
    expect(identity).toContain(spelledIdentity(secret))
    const opened = await joined(decrypted(parts(Buffer.from(byAge, 'base64')), { identity: secret }))
    expect(opened.toString()).toBe('a small secret')
    expect(recipientIn(recipient.replace('v', 'w'))).toBeNull()
  })

  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])('gives %i bytes back, and refuses any other', async (length) => {
    const secret = { identity: identityIn(identity) }
    const bytes = Buffer.alloc(length, 'furrow')
    const stored = await joined(encrypted(parts(bytes.subarray(0, 7), bytes.subarray(7)), [publicOf(secret.identity)]))
    expect((await joined(decrypted(parts(stored), secret))).equals(bytes)).toBe(true)
    await expect(joined(decrypted(parts(stored.subarray(0, -1)), secret))).rejects.toThrow('cannot be decrypted')
    for (const at of [30, 60, stored.length - 1]) {
      const bent = Buffer.from(stored)
      bent[at] = (bent[at] ?? 0) ^ 1
      await expect(joined(decrypted(parts(bent), secret))).rejects.toThrow('cannot be decrypted')
    }
  })
})

test('the last backup of each hour, day, week and month is kept, for as many as the rule says', () => {
  const rule = keepRuleIn('7d,4w,12m') ?? {}
  const start = Date.UTC(2025, 0, 1) / 1000
  const hours = Array.from({ length: 365 * 24 }, (_, hour) => start + hour * 3600)
  const kept = [...keptTimes(hours, rule)].sort((one, other) => one - other)
  const days = kept.map((at) => new Date(at * 1000).toISOString().slice(0, 13))
  expect(days.slice(-7)).toEqual([25, 26, 27, 28, 29, 30, 31].map((day) => `2025-12-${day}T23`))
  expect(days.slice(0, 3)).toEqual(['2025-01-31T23', '2025-02-28T23', '2025-03-31T23'])
  expect(kept.length).toBe(20)
  for (const misspelt of ['', '7', '0d', '7d,8d', '7x', '7d;4w']) expect(keepRuleIn(misspelt)).toBeNull()
})

describe.each(engines)('a directory of backups of %s', (engine) => {
  const testInTurn = inTurnsOn(engine)

  async function begun(): Promise<{ farm: FarmUnderTest; directory: string }> {
    const farm = await openFarm({ place: await emptyPlace(engine) })
    await growFarm(farm)
    return { farm, directory: await emptyDirectory() }
  }

  const into = (
    { installation: { database } }: FarmUnderTest,
    directory: string,
    more: Partial<BackupIntoOptions> = {},
  ) =>
    backUpInto(database, directory, {
      clock: () => 1_800_000_000,
      report: quiet,
      keep: null,
      keys: {},
      farmKey: () => database.write(ensureBackupKey),
      ...more,
    })

  const source = async (directory: string, given: Parameters<typeof keysToRead>[1] = {}) => {
    const keys = await keysToRead(directory, given)
    const { backups } = await listBackups(directory)
    const [last] = backups.slice(-1)
    if (last === undefined) throw new Error('There is no backup')
    return backupSource(directory, last, keys)
  }

  testInTurn('takes photos once, and a restore from it is the farm', async () => {
    const { farm, directory } = await begun()
    const first = await into(farm, directory)
    expect(first.written.bytes).toBeGreaterThan(900_000)
    await (await farm.login('worker')).create('log', { name: 'More', type: 'farm_activity', timestamp: 1 })
    const second = await into(farm, directory, { clock: () => 1_800_003_600 })
    expect(second.written.bytes).toBeLessThan(60_000)
    expect((await stat(directory)).mode & 0o077).toBe(0)
    const place = await emptyPlace(engine)
    await restoreFarm(await source(directory), moveTo(place))
    expect(await filesOf(await exported(place))).toEqual(await filesOf(await exported(farm.installation.settings)))
  })

  testInTurn('removes what no rule keeps, and only pieces that no kept backup names', async () => {
    const { farm, directory } = await begun()
    const client = await farm.login('worker')
    for (const day of [0, 1, 2, 3]) {
      await client.create('log', { name: `Day ${day}`, type: 'farm_activity', timestamp: day })
      const done = await into(farm, directory, { clock: () => 1_800_000_000 + day * 86_400, keep: { d: 2 } })
      expect(done.removed.length).toBe(day < 2 ? 0 : 1)
    }
    const { backups } = await listBackups(directory)
    expect(backups.length).toBe(2)
    const onDisk = (await readdir(join(directory, 'pieces'), { recursive: true })).filter((name) => name.length > 3)
    expect(new Set(onDisk.map((name) => name.slice(3)))).toEqual(
      new Set(backups.flatMap(({ pieces }) => pieces.map(([name]) => name))),
    )
    for (const backup of backups) await verify(backupSource(directory, backup, await keysToRead(directory, {})), quiet)
  })

  testInTurn('writes a piece again that is missing or was changed, and trusts no damaged list', async () => {
    const { farm, directory } = await begun()
    await into(farm, directory)
    const { backups } = await listBackups(directory)
    const [missing = '', changed = ''] = backups.flatMap(({ pieces }) => pieces.map(([name]) => name)).slice(-3)
    const at = (name: string) => join(directory, 'pieces', name.slice(0, 2), name)
    await rm(at(missing))
    const bytes = await readFile(at(changed))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(at(changed), bytes)
    await expect(verify(await source(directory), quiet)).rejects.toThrow('cannot be trusted')
    expect((await into(farm, directory, { clock: () => 1_800_086_400 })).written.pieces).toBeGreaterThan(1)
    await verify(await source(directory), quiet)
    await appendFile(join(directory, 'backups', `${backups[0]?.name}.json`), 'x')
    await writeFile(join(directory, 'backups', `${backups[0]?.name}.json`), '{}')
    const last = await into(farm, directory, { clock: () => 1_800_172_800, keep: { d: 1 } })
    expect([last.damagedLists.length, last.removed]).toEqual([1, []])
  })

  const recipients = [recipientIn(recipient) ?? Buffer.alloc(0)]
  const passphrase = 'correct horse'

  for (const [how, keys, secret] of [
    ['recipients', { recipients }, { identity }],
    ['a passphrase', { passphrase }, { passphrase }],
  ] as const) {
    testInTurn(`for ${how} says nothing to anybody else, and is restored by its key`, async () => {
      const { farm, directory } = await begun()
      await into(farm, directory, { keys })
      const again = await into(farm, directory, { keys, clock: () => 1_800_003_600 })
      expect(again.written.bytes).toBeLessThan(60_000)
      for (const text of (await filesOf(directory)).values())
        expect(text).not.toMatch(/Berta|Wiese|xxxxxxxxxx|farm_activity/)
      expect(await keysToRead(directory, {})).toMatchObject({ canRead: false })
      await expect(into(farm, directory)).rejects.toThrow(/passphrase|recipients/)
      await expect(keysToRead(directory, { passphrase: 'wrong horse' }).then(({ canRead }) => canRead))
        .rejects.toThrow('not the passphrase')
        .catch(() => expect(how).toBe('recipients'))
      const place = await emptyPlace(engine)
      await restoreFarm(await source(directory, secret), moveTo(place))
      const copy = await openFarm({ place })
      expect((await (await copy.login()).read('/log.json')).list).toHaveLength(3)
    })
  }

  testInTurn('takes one run at a time, and no directory with other things in it', async () => {
    const { farm, directory } = await begun()
    const runs = await Promise.allSettled([into(farm, directory), into(farm, directory)])
    expect(runs.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const other = await emptyDirectory()
    await writeFile(join(other, 'thesis.txt'), 'mine')
    await expect(into(farm, other)).rejects.toThrow('is not empty')
    expect(await readdir(other)).toEqual(['thesis.txt'])
  })
})

test('a backup into a directory that is killed at any moment leaves all earlier ones whole, and the next goes on', {
  timeout: 300_000,
}, async () => {
  const farm = await openFarm({ place: await emptyPlace('sqlite') })
  const { data } = farm.installation.settings
  await growFarm(farm)
  const directory = join(await emptyDirectory(), 'backups')
  const args = ['backup', '--to', directory, '--data', data, '--keep', '1h']
  expect(await furrow(args)).toMatchObject({ code: 0 })
  const client = await farm.login('manager')
  for (const milliseconds of rounds({ short: [250, 500], long: [150, 250, 300, 350, 400, 450, 500, 600, 800, 1000] })) {
    const files = [1, 2, 3].map(
      (n) => `data:text/plain;base64,${Buffer.alloc(2_000_000, `${milliseconds}${n}`).toString('base64')}`,
    )
    await client.create('log', { name: 'More', type: 'farm_activity', timestamp: 1, files })
    const child: ChildProcess = spawn(process.execPath, [await builtMain(), ...args], { stdio: 'ignore' })
    atEndOfFile(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await Promise.race([sleep(milliseconds), ended])
    child.kill('SIGKILL')
    await ended
    const verified = await furrow(['backup', 'verify', directory])
    expect(verified, verified.stderr).toMatchObject({ code: 0 })
  }
  expect(await furrow(args)).toMatchObject({ code: 0 })
  const names = await readdir(directory, { recursive: true })
  expect(names.filter((name) => name.endsWith('.partial'))).toEqual([])
  const target = join(await emptyDirectory(), 'farm')
  expect(await furrow(['restore', directory, '--data', target])).toMatchObject({ code: 0 })
  expect(await furrow(['doctor', '--data', target])).toMatchObject({ code: 0 })
  expect((await furrow(['backup', 'list', directory])).stdout).toMatch(/^NAME/)
})

test('a directory of backups takes no FILE beside it, and says what is wrong with a rule or a recipient', async () => {
  for (const [args, said] of [
    [['backup'], 'takes a FILE to write, or --to DIR'],
    [['backup', 'a.tar.gz', '--to', 'b'], 'takes a FILE to write, or --to DIR'],
    [['backup', 'a.tar.gz', '--keep', '7d'], 'go with --to DIR'],
    [['backup', '--to', 'b', '--keep', 'seven'], '24h,7d,4w,12m,5y'],
    [['backup', '--to', 'b', '--recipient', 'age1x'], 'a public key of age'],
  ] as const)
    expect(await furrow(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
})
