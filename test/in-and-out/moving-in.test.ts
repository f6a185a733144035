import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StoragePlace } from '../../src/storage/open.ts'
import { furrow } from '../cli/built-furrow.ts'
import { farmos } from '../farmos-server/client.ts'
import { addLog } from '../farmos-server/farms/adding.ts'
import type { FarmosServer } from '../farmos-server/server.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { at, type MovedFarm, moveIn, plainHillFarm, served } from './moving-in.ts'

const engine = engineUnderTest()

describe('a farmOS 1.x in good order', () => {
  let server: FarmosServer
  let place: StoragePlace
  let moved: MovedFarm
  const get = async (path: string) => (await moved.client.get(path)).body

  beforeAll(async () => {
    server = await farmos(plainHillFarm())
    place = await emptyPlace(engine)
    await furrow(['user', 'add', 'own', '--role', 'manager', '--password-stdin', ...at(place)], {
      input: 'green fields',
    })
    const outcome = await moveIn(server.address, place)
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ code: 0 })
    expect(outcome.stdout).toContain('Every record is equal on both sides.')
    expect(outcome.stdout).toMatch(/^Not told .* sensor data, plans, revisions/)
    moved = await served(place)
  })

  it('keeps numbers, times, authors, and the order of lists', async () => {
    const theirs = server.farm.logs
    const { list } = await get('/log.json?limit=1000')
    expect(list.map(({ id }: { id: string }) => Number(id))).toEqual(theirs.map(({ id }) => id))
    for (const [index, log] of theirs.entries()) {
      expect(list[index]).toMatchObject({
        name: log.name,
        type: log.bundle,
        timestamp: String(log.timestamp),
        created: String(log.created),
        changed: String(log.changed),
        done: log.done ? '1' : '0',
        uid: { id: String(log.author) },
      })
    }
    const harvest = list.find(({ name }: { name: string }) => name === 'Harvest lettuce')
    expect(harvest.quantity.map(({ value }: { value: string }) => value)).toEqual(['12.50', '3', '0.1'])
    expect(harvest.log_owner.map(({ id }: { id: string }) => id)).toEqual(['3', '4'])
  })

  it('turns notes back into what was written', async () => {
    const { list } = await get('/log.json?name=Harvest lettuce')
    expect(list[0].notes.value).toBe(
      'Sunny & dry.\n2 < 3 crates left, see https://hill.example/market?a=1&b=2\n\nCall <em>Olga</em> at olga@hill.example.',
    )
  })

  it('has their terms and vocabularies under their numbers, and none of its own first ones', async () => {
    const { list } = await get('/taxonomy_term.json?limit=1000&sort=tid')
    expect(list.map(({ tid, name }: { tid: string; name: string }) => [Number(tid), name])).toEqual(
      server.farm.terms.map(({ id, name }) => [id, name]),
    )
    const { list: vocabularies } = await get('/taxonomy_vocabulary.json')
    const numbers = vocabularies.map(({ vid, machine_name }: { vid: string; machine_name: string }) => [
      machine_name,
      Number(vid),
    ])
    expect(Object.fromEntries(numbers)).toMatchObject(
      Object.fromEntries(server.farm.vocabularies.map(({ id, machineName }) => [machineName, id])),
    )
  })

  it('has the bytes of public and private files', async () => {
    const harvest = server.farm.logs.find(({ name }) => name === 'Harvest lettuce')
    const shown = await get(`/log/${harvest?.id}.json`)
    const wanted = ((harvest?.values.images ?? []) as number[]).map((id) =>
      server.farm.files.find((file) => file.id === id),
    )
    expect(shown.images).toEqual(wanted.map((file) => `data:${file?.mime};base64,${file?.content.toString('base64')}`))
    expect((await get('/log.json?name=Harvest lettuce')).list[0].images[0]).toContain(`/file/${wanted[0]?.id}/`)
  })

  it('has their accounts blocked, without password and role, and its own above them', async () => {
    const { stdout } = await furrow(['user', 'list', ...at(place)])
    const lines = stdout.split('\n')
    for (const { id, name } of server.farm.accounts.filter((account) => account.id > 0))
      expect(
        lines.some((line) => new RegExp(`^${id}\\b.*\\b${name}\\b.*blocked`).test(line)),
        `${name} in ${stdout}`,
      ).toBe(true)
    expect(stdout).toMatch(/^7 +own +manager/m)
    const login = await fetch(`${moved.farm.base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'farm',
        username: 'hanna',
        password: 'hanna secret',
      }),
    })
    expect(login.status).toBe(400)
  })

  it('lets one of them in again as it has said', async () => {
    for (const words of [
      ['set-role', 'willem', 'worker'],
      ['unblock', 'willem'],
    ])
      expect(await furrow(['user', ...words, ...at(place)])).toMatchObject({ code: 0 })
    const password = ['set-password', 'willem', '--password-stdin']
    expect(await furrow(['user', ...password, ...at(place)], { input: 'green fields' })).toMatchObject({ code: 0 })
    expect(await moved.farm.token('willem', 'green fields', 'user_access')).toMatch(/./)
  })

  it('goes on with the next number, and takes back nothing', async () => {
    const id = await moved.client.create('log', { name: 'Next', type: 'farm_activity', timestamp: 1_600_000_000 })
    expect(Number(id)).toBe(Math.max(...server.farm.logs.map((log) => log.id)) + 1)
  })

  it('is sound, and has left nothing behind but the list of what only /api shows', async () => {
    const { stdout, code } = await furrow(['doctor', ...at(place)])
    expect({ stdout, code }).toEqual({ stdout: 'Everything is as it should be.\n', code: 0 })
    const left = await readdir(place.data)
    const [report = '', ...others] = left.filter((name) => name.startsWith('farmos'))
    expect(others).toEqual([])
    expect(readFileSync(join(place.data, report), 'utf8')).toMatch(
      /^elsewhere: file \d+ has a description that only \/api shows here \(The lease\)\.\n$/,
    )
  })

  it('is told to differ by --verify-only once either side has changed', async () => {
    const log = addLog(server.farm, 'Came later', { id: 500, bundle: 'farm_activity' })
    const outcome = await moveIn(server.address, place, ['--verify-only'])
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(1)
    expect(outcome.stdout).toContain(`log ${log} is not here`)
    server.farm.logs = server.farm.logs.filter(({ id }) => id !== log)
    const again = await moveIn(server.address, place, ['--verify-only'])
    expect(again.code).toBe(3)
    expect(again.stdout).toContain('is only here')
  })

  it('is refused where somebody has recorded something', async () => {
    const before = await readdir(place.data)
    const outcome = await moveIn(server.address, place)
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toMatch(/There are records in .* already|is using/)
    expect(await readdir(place.data)).toEqual(before)
  })
})

it('a dry run changes nothing and says what would become of it; --resume moves in what was read', async () => {
  const farm = plainHillFarm()
  addLog(farm, 'Odd', { bundle: 'farm_observation', values: { asset: [9001], notes: 'a' } })
  const server = await farmos(farm)
  const place = await emptyPlace(engine)
  const dry = await moveIn(server.address, place, ['--dry-run'])
  expect(dry.code, dry.stderr).toBe(3)
  expect(dry.stdout).toContain('refers to what is not there')
  expect(dry.stdout).toContain('Nothing was changed.')
  const again = await moveIn(server.address, place)
  expect(again.stderr).toContain('--resume')
  const moved = await moveIn(server.address, place, ['--resume', '--notes', 'html'])
  expect(moved.code, moved.stdout + moved.stderr).toBe(3)
  const { client } = await served(place)
  const { list } = (await client.get('/log.json?name=Odd')).body
  expect(list[0]).toMatchObject({
    asset: [],
    data: 'From farmOS, as text:\nasset[0]: asset 9001',
    notes: { value: '<p>a</p>\n' },
  })
  const [report = ''] = (await readdir(place.data)).filter((name) => name.endsWith('-report.txt'))
  expect(readFileSync(join(place.data, report), 'utf8')).toMatch(/^changed: log \d+, asset\[0\] refers/m)
})
