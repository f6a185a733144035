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

  test('makes, changes and removes a resource of the newer generation, which the first one has too', async () => {
    const attributes = { name: 'Newer', timestamp: '2026-11-18T10:00:00Z' }
    const { id } = (await client.createResource('log--activity', { attributes })) as { id: string }
    await client.updateResource('log--activity', id, { attributes: { name: 'Newer still' } })
    expect(await client.resource('log--activity', id)).toMatchObject({ id, attributes: { name: 'Newer still' } })
    expect(await client.get('log', id)).toMatchObject({ name: 'Newer still', type: 'farm_activity' })
    await client.removeResource('log--activity', id)
    await expect(client.resource('log--activity', id)).rejects.toMatchObject({ status: 404 })
  })

  test('carries out a batch, adds a file and reads it back', async () => {
    const results = await client.batch([
      { method: 'POST', path: '/farm_asset', as: 'geese', body: { name: 'Geese', type: 'group' } },
      { method: 'POST', path: '/log', body: { ...log('Drive'), asset: [{ id: '$geese' }] } },
    ])
    expect(results).toHaveLength(2)
    const { id, uuid } = await client.create('log', log('With a file'))
    expect(await client.get('log', uuid)).toMatchObject({ id })
    await client.addFile(`/log/${id}/files`, new TextEncoder().encode('A note'), 'Käse.txt')
    const { files } = await client.read<{ files: string[] }>(`/log/${id}.json`, { files: 'link' })
    expect(await (await client.file(files[0] ?? '')).text()).toBe('A note')
    // As it is said by the name alone.
    await client.addFile(`/log/${id}/images`, new Uint8Array([255, 216, 255, 224]), 'Käse.JPG')
    const photo = new Blob([new Uint8Array([255, 216, 255, 224])], { type: 'image/jpeg' })
    await client.addFile(`/api/log/activity/${uuid}/image`, photo, 'Käse.jpg')
    expect(await client.read(`/log/${id}.json`, { files: 'link' })).toMatchObject({
      images: [expect.stringContaining('K%C3%A4se.JPG'), expect.stringContaining('K%C3%A4se.jpg')],
    })
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

  test('listens on after a proxy in between has failed, and after a stream that ended', async () => {
    const cursor = (await all(client.changes('0'))).at(-1)?.next ?? ''
    let streams = 0
    const broken: typeof fetch = async (address, init) => {
      if (!String(address).includes('/changes?')) return fetch(address, init)
      streams += 1
      if (streams === 1) return new Response('Bad gateway', { status: 502 })
      return streams === 2 ? new Response(': nothing yet\n\n') : fetch(address, init)
    }
    const listener = new FurrowClient({ base: farm.base, login: { username, password }, fetch: broken, retries: 0 })
    const abort = new AbortController()
    const { id } = await client.create('log', log('While away'))
    for await (const { change } of listener.follow(cursor, abort.signal)) {
      expect([change.id, streams]).toEqual([id, 3])
      abort.abort()
    }
  })

  test('goes on with a refreshed token when the first is over, and refreshes it once for all requests at once', async () => {
    const grants: string[] = []
    const counted: typeof fetch = (address, init) => {
      const body = init?.body
      if (body instanceof URLSearchParams) grants.push(body.get('grant_type') ?? '')
      return fetch(address, init)
    }
    const several = new FurrowClient({ base: farm.base, login: { username, password }, fetch: counted })
    const lists = () => Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => all(several.list('log', { limit: 1000 }))))
    await lists()
    farm.setClock(Math.floor(Date.now() / 1000) + 3 * 3600)
    for (const list of await lists()) expect(list.length).toBeGreaterThan(2)
    farm.setClock(null)
    expect(grants).toEqual(['password', 'refresh_token'])
  })

  test('does not try a wrong password again, but a login whose connection was lost', async () => {
    let logins = 0
    const lost: typeof fetch = (address, init) => {
      if (!String(address).endsWith('/oauth/token')) return fetch(address, init)
      logins += 1
      return logins === 1 ? Promise.reject(new TypeError('fetch failed')) : fetch(address, init)
    }
    const unlucky = new FurrowClient({ base: farm.base, login: { username, password }, fetch: lost })
    await all(unlucky.list('log'))
    expect(logins).toBe(2)
    const mistaken = new FurrowClient({ base: farm.base, login: { username, password: 'wrong one' }, fetch: lost })
    await expect(all(mistaken.list('log'))).rejects.toMatchObject({ name: 'FurrowError', status: 400 })
    expect(logins).toBe(3)
  })

  test('tells a refusal by its name, and tries again what was sent away, under one key', async () => {
    await expect(client.create('log', { type: 'farm_activity' })).rejects.toMatchObject({
      status: 422,
      type: 'urn:furrow:refusal:invalid-content',
    })
    await expect(
      client.createResource('log--activity', { attributes: { status: 'unheard of' } }),
    ).rejects.toMatchObject({
      status: 422,
      type: 'urn:furrow:refusal:invalid-content',
      message: expect.stringContaining('status'),
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
  const { name } = await farm.get('log', '1')
  await farm.create('log', { type: 'farm_harvest', name, timestamp: 1, done: 1, asset: [{ id: '1' }], lot_number: 'A' })
  await farm.create('farm_asset', { type: 'animal', name, animal_type: { name: 'Sheep' } })
  // @ts-expect-error a log needs a time
  await farm.create('log', { type: 'farm_harvest', name })
  await farm.update('log', '1', { name, done: true })
  // @ts-expect-error a log has no such field
  await farm.update('log', '1', { nom: name })
  const { id } = await farm.createResource('log--harvest', { attributes: { name, notes: { value: 'Wet' } } })
  await farm.updateResource('log--harvest', id, { relationships: { asset: { data: [] } } })
  // @ts-expect-error a harvest has no such attribute
  await farm.updateResource('log--harvest', id, { attributes: { seed_source: '' } })
}
`

test('the types of both generations compile in a strict project', { timeout: 120_000 }, async () => {
  const folder = await emptyDirectory()
  await mkdir(join(folder, 'client'))
  const description = JSON.parse(JSON.stringify(describeStockInterface(defaultSettings, 'http://127.0.0.1:8080')))
  await writeFile(join(folder, 'client/records.d.ts'), typesOfRecords(description))
  for (const name of ['client', 'changes', 'login', 'requests', 'retrying'])
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
