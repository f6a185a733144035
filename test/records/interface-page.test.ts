import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openFarm } from '../harness/farm.ts'

const run = promisify(execFile)

async function examplesIn(page: string, language: string): Promise<string[]> {
  const blocks = (await readFile(page, 'utf8')).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))
  return [...blocks].map(([, example]) => example ?? '')
}

it('every example of the page about the interface works when it is pasted', async () => {
  const examples = await examplesIn('docs/interface.md', 'sh')
  expect(examples.length).toBeGreaterThan(7)
  const farm = await openFarm({ engine: 'sqlite' })
  const { login } = await farm.login('worker')
  const env = { ...process.env, FARM: farm.base, TOKEN: login.token }
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', examples.join('\n')], { env })
  expect(stdout).toContain('"seed_source":"Neighbour"')
  expect(stdout).toContain('"location":[{')
  expect(stdout).not.toContain('urn:furrow:')
})

it('the batch of the page about batches goes through as it is', async () => {
  const [batch = ''] = await examplesIn('docs/batch.md', 'json')
  const worker = await (await openFarm({ engine: 'sqlite' })).login('worker')
  const { body } = await worker.post('/batch', JSON.parse(batch))
  expect(body.results).toMatchObject([{ status: 201 }, { status: 201 }, { status: 200 }, { status: 200 }])
  expect(await worker.read(`/farm_asset/${body.results[0].id}.json`)).toMatchObject({
    name: 'Geese',
    flags: ['monitor'],
  })
})
