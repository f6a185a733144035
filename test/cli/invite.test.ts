import { expect, test } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { furrow, serve } from './built-furrow.ts'

test('furrow invite makes a link that gives an account on the running server, once', async () => {
  const data = await emptyDirectory()
  const { address } = await serve(['--data', data])
  const { code, stdout } = await furrow(['invite', '--role', 'worker', '--for', 'Ann', '--base-url', address], {
    env: { FURROW_DATA: data },
  })
  expect(code).toBe(0)
  const [, key = ''] = /^ {2}http:\S+\/invitation#(\S{43})$/m.exec(stdout) ?? []
  const accept = async () => {
    const body = JSON.stringify({ key, name: 'ann', password: 'green fields 42' })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${address}/invitation.json`, { method: 'POST', headers, body })).status
  }
  expect([await accept(), await accept()]).toEqual([200, 404])
  const listed = await furrow(['user', 'list'], { env: { FURROW_DATA: data } })
  expect(listed.stdout).toMatch(/\bann +worker +active\b/)
})

test('furrow invite takes the address that phones are offered, and says where there is none', async () => {
  const data = await emptyDirectory()
  await serve(['--data', data])
  const inviteWith = (...options: string[]) =>
    furrow(['invite', '--role', 'worker', ...options], { env: { FURROW_DATA: data } })
  const alone = await inviteWith()
  expect(alone.stdout).toMatch(/^ {2}http:\/\/127\.0\.0\.1:8080\/invitation#/m)
  expect(alone.stdout).toContain('It works on this machine alone.')
  const given = await inviteWith('--host', 'farm.lan', '--port', '9000')
  expect(given.stdout).toMatch(/^ {2}http:\/\/farm\.lan:9000\/invitation#/m)
  expect(given.stdout).not.toContain('alone')
  const { code, stderr } = await inviteWith('--port', '0')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--base-url')])
})

test('furrow invite says what is missing', async () => {
  const { code, stderr } = await furrow(['invite', '--base-url', 'https://farm.example'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--role')])
})
