import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { chmod, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mebibyte } from '../../src/fields/byte-size.ts'
import { onPlainFile } from '../../src/storage/backup/plain-file.ts'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { openFarm } from '../harness/farm.ts'
import { letGoOf } from '../operation/moves.ts'
import { dataUri } from '../records/sample-files.ts'
import { builtMain, furrow, serve } from './built-furrow.ts'

test('a port that is taken is found before a farm is made', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  for (const option of ['--port', '--metrics-port']) {
    const data = join(await emptyDirectory(), 'farm')
    const outcome = await furrow(['serve', '--data', data, option, String(port)], { env: { FURROW_PORT: '0' } })
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`) })
    expect(existsSync(data)).toBe(false)
  }
  taken.close()
})

async function certificateFor(name: string): Promise<{ cert: string; key: string }> {
  const directory = await emptyDirectory()
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', cert],
  ])
  expect(made.status, made.stderr.toString()).toBe(0)
  return { cert, key }
}

/** The name in the certificate that is served, and what /farm.json says to nobody. */
const greeted = (port: string): Promise<{ name: unknown; status: number | undefined }> =>
  new Promise((resolve, reject) => {
    get(`https://127.0.0.1:${port}/farm.json`, { rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume()
      const { subject } = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate()
      resolve({ name: subject.CN, status: answer.statusCode })
    }).on('error', reject)
  })

test('the server speaks TLS by itself, serves a renewed certificate, and keeps the last good one', {
  timeout: 180_000,
}, async () => {
  const [first, second] = [await certificateFor('first.example'), await certificateFor('second.example')]
  const data = await emptyDirectory()
  const child = spawn(
    process.execPath,
    [await builtMain(), 'serve', '--data', data, '--tls-cert', first.cert, '--tls-key', first.key, '--require-tls'],
    { env: { ...process.env, FURROW_PORT: '0' } },
  )
  atEndOfFile(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let tries = 0; tries < 400; tries += 1) {
      const found = pattern.exec(output)
      if (found !== null) return found
      await sleep(100)
    }
    throw new Error(`No ${pattern} in ${output}`)
  }
  const [, port = ''] = await until(/listens at https:\/\/127\.0\.0\.1:(\d+)/)
  expect(await greeted(port)).toEqual({ name: 'first.example', status: 403 })
  await copyFile(second.cert, first.cert)
  await copyFile(second.key, first.key)
  await until(/"certificate":"renewed"/)
  expect(await greeted(port)).toMatchObject({ name: 'second.example' })
  await writeFile(first.key, 'no key')
  await until(/"warning":"[^"]*no certificate with its key/)
  expect(await greeted(port)).toMatchObject({ name: 'second.example' })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  const refused = await furrow(['serve', '--data', data, '--tls-cert', first.cert, '--tls-key', first.key], {
    env: { FURROW_PORT: '0' },
  })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no certificate with its key') })
  expect(await furrow(['serve', '--tls-cert', first.cert])).toMatchObject({ code: 2 })
})

/** A listener on a socket as systemd has one, which Node cannot open. */
const listener = `import socket,sys
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM);s.bind(sys.argv[1]);print("open",flush=True)
while True: print(s.recv(4096).decode().strip(),flush=True)`

test('systemd is told when the server is ready, that it lives, and that it stops', { timeout: 180_000 }, async () => {
  const directory = await emptyDirectory()
  const told = join(directory, 'told')
  const socket = join(directory, 'notify')
  const hasSystemd = ['systemd-notify', 'python3'].every((program) => spawnSync(program, ['--version']).status === 0)
  // Where there is no systemd, a program of that name writes down what it is asked to tell.
  const stand = join(directory, 'systemd-notify')
  if (!hasSystemd) {
    await writeFile(stand, `#!/bin/sh\necho "$1" >> '${told}'\n`)
    await chmod(stand, 0o755)
  }
  const python = hasSystemd ? spawn('python3', ['-c', listener, socket]) : null
  let heard = ''
  python?.stdout.on('data', (text) => (heard += text))
  atEndOfFile(() => void python?.kill())
  if (python !== null) await once(python.stdout, 'data')
  const env = {
    NOTIFY_SOCKET: socket,
    WATCHDOG_USEC: '1500000',
    PATH: `${directory}${delimiter}${process.env.PATH}`,
  }
  const server = await serve(['--data', await emptyDirectory()], { env })
  const lines = async () =>
    (hasSystemd ? heard : await readFile(told, 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => /^(READY|STOPPING|WATCHDOG)=/.test(line))
  await expect.poll(lines).toContain('WATCHDOG=1')
  expect(await server.stop()).toBe(0)
  await expect.poll(lines).toContain('STOPPING=1')
  expect((await lines())[0]).toBe('READY=1')
})

test('a farm of before is converted by compact, and gives room back by itself from then on', async () => {
  const place = await emptyPlace('sqlite')
  const farm = await openFarm({ place })
  await farm.close()
  await letGoOf(place)
  const path = join(place.data, 'farm.sqlite')
  const pragma = (name: string) => onPlainFile(path, (file) => Number(file.list(name, `pragma_${name}`)[0]))
  expect(pragma('auto_vacuum')).toBe(2)
  onPlainFile(path, (file) => {
    for (const statement of ['PRAGMA journal_mode=DELETE', 'PRAGMA auto_vacuum=NONE', 'VACUUM']) file.run(statement)
    file.run('create table ballast (x)')
    file.run('insert into ballast values (zeroblob(40000000))')
    file.run('drop table ballast')
    // More than SQLite writes anew in memory.
    file.run('create table kept (x)')
    file.run('insert into kept values (zeroblob(3000000))')
  })
  expect(pragma('auto_vacuum')).toBe(0)
  const { size } = await stat(path)
  expect(size).toBeGreaterThan(40_000_000)
  const seen = new Set<string | null>()
  const watcher = watch(place.data, (_, name) => seen.add(name))
  const done = await furrow(['compact', '--data', place.data])
  watcher.close()
  expect(done, done.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/takes some \d+ s and up to .* of room/),
  })
  expect((await stat(path)).size).toBeLessThan(size / 10)
  // Not in the temporary folder of the system, whose room was not asked for.
  expect([...seen]).toContainEqual(expect.stringMatching(/^etilqs_/))
  expect(pragma('auto_vacuum')).toBe(2)
  onPlainFile(path, (file) => {
    for (const statement of ['drop table kept', 'PRAGMA incremental_vacuum']) file.run(statement)
  })
  const again = await openFarm({ place })
  const client = await again.login()
  const files = [`data:text/plain;base64,${Buffer.alloc(3_000_000, 'x').toString('base64')}`]
  const id = await client.create('log', { name: 'Large', type: 'farm_activity', timestamp: 1, files })
  const pages = async () => {
    const { database } = again.installation
    const { databaseBytes } = await import('../../src/storage/compacting.ts')
    return database.read((snapshot) => databaseBytes(snapshot, database))
  }
  const full = await pages()
  await client.delete(`/log/${id}`)
  const { sweep } = await import('../../src/access/sweeping.ts')
  again.setClock(Math.floor(Date.now() / 1000) + 200 * 86_400)
  await sweep(again.installation)
  expect(await pages()).toBeLessThan(full - 2_500_000)
})

test('a server takes files up to the size it was told, in both generations, and keeps those it has', async () => {
  const place = await emptyPlace('sqlite')
  const wide = await openFarm({ place, settings: { fileMebibytes: 12 } })
  const first = await wide.login()
  const photo = (bytes: number) => dataUri('image/jpeg', Buffer.alloc(bytes, 7))
  const log = { name: 'Seen', type: 'farm_observation', timestamp: 1_780_000_000 }
  const large = photo(11 * mebibyte)
  const { id } = (await first.post('/log', { ...log, images: [large, photo(11 * mebibyte + 1)] })).body
  expect(id).toMatch(/^\d+$/)
  await wide.close()
  const narrow = await openFarm({ place, settings: { fileMebibytes: 1 } })
  const client = await narrow.login()
  const refused = await client.post('/log', { ...log, images: [photo(mebibyte + 1)] })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ field: 'images[0]', message: 'is larger than 1 MiB' }],
  ])
  expect((await client.post('/log', { ...log, images: [photo(mebibyte)] })).status).toBe(201)
  for (const [path, type] of [
    [`/log/${id}/images`, 'image/jpeg'],
    ['/api/log/observation/image', 'application/octet-stream'],
  ] as const) {
    const headers = { 'content-type': type, 'content-disposition': 'file; filename="a.jpg"' }
    const sent = await client.send('POST', path, { headers, body: Buffer.alloc(mebibyte + 1) })
    expect([sent.status, sent.text], path).toEqual([413, expect.stringContaining('A file may have 1 MiB')])
  }
  expect((await client.put(`/log/${id}`, { images: [large] })).status).toBe(200)
})

test('a server takes bodies up to the size it was told', async () => {
  const farm = await openFarm({ settings: { bodyMebibytes: 1 } })
  const client = await farm.login()
  const body = Buffer.alloc(1_100_000, 'x')
  const sent = await client.send('POST', '/log', { headers: { 'content-type': 'application/json' }, body })
  expect(sent).toMatchObject({ status: 413, text: expect.stringContaining('A body may have 1 MiB') })
})
