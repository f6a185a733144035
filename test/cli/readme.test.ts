import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { root } from '../house/tree.ts'
import { builtMain, serve } from './built-furrow.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const shellBlocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '')

it('the README begins and ends with the two commands that do all set-up', () => {
  expect(shellBlocks.at(0)).toBe('npm ci && npm start\n')
  expect(shellBlocks.at(-1)).toBe('npm ci && npm test\n')
})

it('the README leads from an empty farm to a first log and a second farm when its lines are pasted', async () => {
  const data = await emptyDirectory()
  const server = await serve(['--data', data])
  const pasted = shellBlocks
    .slice(1, -1)
    .join('\n')
    .replaceAll('npx furrow', `node '${await builtMain()}'`)
    .replaceAll('http://127.0.0.1:8080', server.address)
  const { stdout } = await promisify(execFile)('bash', ['-euc', pasted], {
    cwd: await emptyDirectory(),
    env: { ...process.env, FURROW_DATA: data },
  })
  expect(stdout).toContain('ada can log in now, as manager.')
  // What curl prints does not end its line: the next command's words follow.
  const [, answer = ''] = /^(?:.*\})?(\{"self":.*\})/m.exec(stdout) ?? []
  const list = JSON.parse(answer)
  expect(list.list).toHaveLength(1)
  expect(list.list[0]).toMatchObject({ name: 'Sowed carrots in the north field', type: 'farm_activity', done: '1' })
  expect(list.list[0].log_category[0].name).toBe('Plantings')
  expect(stdout).toMatch(/\d+ logs/)
})
