import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { typesOfRecords } from '../../build/client-types.mjs'
import { FurrowClient, newUuid } from '../../src/client/client.ts'
import { defaultSettings } from '../../src/config.ts'
import { describeStockInterface } from '../../src/doors/description.ts'
import { stranger } from '../access/flow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { root } from '../house/tree.ts'

const farm = await openFarm({ engine: 'sqlite' })
const { name: username, password } = await stranger(farm, 'worker')
const client = new FurrowClient({ base: `${farm.base}/`, login: { username, password } })
const log = (name: string) => ({ name, type: 'farm_activity', timestamp: 1_700_000_000 })

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('the client', () => {
  test('makes, lists, changes and removes records of the first generation, over several pages', async () => {
    for (const name of ['One', 'Two', 'Three']) await client.create('log', log(name))
    const listed = (await all(client.list('log', { limit: 2, sort: 'id' }))) as { id: string; name: string }[]
    expect(listed.map(({ name }) => name)).toEqual(['One', 'Two', 'Three'])
    await client.update('log', listed[0]?.id ?? '', { name: 'First' })
    await client.remove('log', listed[2]?.id ?? '')
    expect((await all(client.list('log'))).map((one) => (one as { name: string }).name).sort()).toEqual([
      'First',
      'Two',
    ])
  })

  test('reads resources of the newer generation over several pages', async () => {
    const resources = await all(client.resources('log--activity', { 'page[limit]': 1 }))
    expect(resources).toHaveLength(2)
    expect(resources[0]).toMatchObject({ type: 'log--activity', attributes: { status: expect.any(String) } })
  })

  test('carries out a batch and adds a file', async () => {
    const results = await client.batch([
      { method: 'POST', path: '/farm_asset', as: 'geese', body: { name: 'Geese', type: 'group' } },
      { method: 'POST', path: '/log', body: { ...log('Drive'), asset: [{ id: '$geese' }] } },
    ])
    expect(results).toHaveLength(2)
    const { id } = await client.create('log', log('With a file'))
    await client.addFile(`/log/${id}/files`, new TextEncoder().encode('A note'), 'Käse.txt')
    expect(await client.read<{ files: unknown[] }>(`/log/${id}.json`)).toMatchObject({ files: [expect.anything()] })
  })

  test('follows changes by pages and as events, with a cursor that the caller keeps', async () => {
    const pages = await all(client.changes('0'))
    const cursor = pages.at(-1)?.next ?? ''
    expect(pages.flatMap(({ changes }) => changes).length).toBeGreaterThan(4)
    const abort = new AbortController()
    const heard: string[] = []
    const listening = (async () => {
      for await (const { change } of client.follow(cursor, abort.signal)) {
        heard.push(change.uuid)
        abort.abort()
      }
    })()
    const uuid = newUuid()
    await client.create('log', { ...log('Heard'), uuid })
    await listening
    expect(heard).toEqual([uuid])
    await expect(all(client.changes('nonsense'))).rejects.toMatchObject({ name: 'FurrowError', status: 400 })
  })

  test('goes on with a refreshed token when the first is over', async () => {
    farm.setClock(Math.floor(Date.now() / 1000) + 3 * 3600)
    expect((await all(client.list('log', { limit: 1000 }))).length).toBeGreaterThan(2)
    farm.setClock(null)
  })

  test('tells a refusal by its name, and tries again what was sent away, under one key', async () => {
    await expect(client.create('log', { type: 'farm_activity' })).rejects.toMatchObject({
      status: 422,
      type: 'urn:furrow:refusal:invalid-content',
    })
    const keys: string[] = []
    const flaky: typeof fetch = async (address, init) => {
      const key = new Headers(init?.headers).get('idempotency-key')
      if (key !== null) keys.push(key)
      // The answer to the first try is lost: what it made is not made again.
      const answer = await fetch(address, init)
      if (keys.length === 1) throw new TypeError('fetch failed')
      return answer
    }
    const unlucky = new FurrowClient({ base: farm.base, login: { username, password }, fetch: flaky })
    await unlucky.create('log', log('Once'))
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    expect(await all(client.list('log', { name: 'Once' }))).toHaveLength(1)
  })
})

/** What a stranger's compiler has to accept, and lines that it has to refuse. */
const typing = `
import { FurrowClient } from './client/client.js'
import type { StockRecords } from './client/records.js'

const farm = new FurrowClient<StockRecords>({ base: '', login: { token: '' } })
export async function told() {
  for await (const harvest of farm.resources('log--harvest')) {
    const name: string | undefined | null = harvest.attributes.name
    // @ts-expect-error a harvest has no such attribute
    harvest.attributes.seed_source
    console.log(name, harvest.relationships?.asset?.data)
  }
  for await (const log of farm.list('log')) if (log.type === 'farm_harvest') console.log(log.lot_number)
  // @ts-expect-error there is no such type
  farm.resources('log--nonsense')
}
`

test('the types of both generations compile in a strict project', { timeout: 120_000 }, async () => {
  const folder = await emptyDirectory()
  await mkdir(join(folder, 'client'))
  const description = JSON.parse(JSON.stringify(describeStockInterface(defaultSettings, 'http://127.0.0.1:8080')))
  await writeFile(join(folder, 'client/records.d.ts'), typesOfRecords(description))
  for (const name of ['client', 'changes', 'requests'])
    await symlink(join(root, `src/client/${name}.ts`), join(folder, `client/${name}.ts`))
  await writeFile(join(folder, 'client/client.js'), '')
  await writeFile(join(folder, 'use.ts'), typing.replace('./client/client.js', './client/client.ts'))
  const options = [
    '--strict',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.asynciterable',
    '--types',
    '',
    'use.ts',
  ]
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: folder }).catch(
    ({ stdout }) => ({ stdout }),
  )
  expect(compiled.stdout).toBe('')
})
