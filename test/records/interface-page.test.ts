import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openFarm } from '../harness/farm.ts'

const run = promisify(execFile)

const examplesIn = (page: string): string[] =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, example]) => example ?? '')

it('every example of the page about the interface works when it is pasted', async () => {
  const examples = examplesIn(await readFile('docs/interface.md', 'utf8'))
  expect(examples.length).toBeGreaterThan(7)
  const farm = await openFarm({ engine: 'sqlite' })
  const { login } = await farm.login('worker')
  const env = { ...process.env, FARM: farm.base, TOKEN: login.token }
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', examples.join('\n')], { env })
  expect(stdout).toContain('"seed_source":"Neighbour"')
  expect(stdout).toContain('"location":[{')
  expect(stdout).not.toContain('urn:furrow:')
})
