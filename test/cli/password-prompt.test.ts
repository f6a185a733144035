import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { builtMain, furrow } from './built-furrow.ts'

it('a password is not shown, however soon it is typed, where there is a program that plays a terminal', async () => {
  if (spawnSync('script', ['--version']).status !== 0) return
  const data = join(await emptyDirectory(), 'farm')
  const line = `'${process.execPath}' '${await builtMain()}' user add ada --role manager --data '${data}'`
  const child = spawn('script', ['-qec', line, '/dev/null'])
  let shown = ''
  let asked = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const questions = shown.match(/Password .*: |Once more: /g)?.length ?? 0
    for (; asked < questions; asked += 1) child.stdin.write('green fields 42\r')
  })
  await new Promise((resolve) => child.once('close', resolve))
  expect(shown).toContain('ada can log in now')
  expect(shown).not.toContain('green')
  expect((await furrow(['user', 'list', '--data', data])).stdout).toMatch(/\bada\b/)
})
