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

test('furrow invite says what is missing', async () => {
  const { code, stderr } = await furrow(['invite', '--base-url', 'https://farm.example'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--role')])
})
