import { describe, expect, it } from 'vitest'
import { furrow } from '../cli/built-furrow.ts'
import { farmos } from '../farmos-server/client.ts'
import { grownFarm } from '../farmos-server/farms/grown-farm.ts'
import { willowBend } from '../farmos-server/newer-farm.ts'
import { startNewerFarmos } from '../farmos-server/newer-server.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'
import { appears, at, moveIn, moveInUntil, served } from './moving-in.ts'

const engine = engineUnderTest()

describe('a grown farmOS with photos and a module that nobody knows', () => {
  it('moves in although it is killed while it reads, while it saves photos and while it fills the farm', async () => {
    const logs = rounds({ short: 400, long: 5_000 })
    const server = await farmos(grownFarm(logs))
    const place = await emptyPlace(engine)
    const module = `${place.data}/moved-in.mjs`
    const killed = (more: readonly string[], time: () => Promise<unknown>) =>
      moveInUntil({ address: server.address, place, more }, time)
    expect(await killed(['--write-module', module], () => server.reached(12))).toBe('SIGKILL')
    const written = await moveIn(server.address, place, ['--write-module', module, '--resume'])
    expect(written.code, written.stdout + written.stderr).toBe(0)
    const more = ['--module', module, '--resume']
    const kills = [
      () => appears(place.data, /blobs\/[0-9a-f]{64}$/),
      () => appears(place.data, engine === 'sqlite' ? /restoring-[^/]*\/farm\.sqlite$/ : /manifest\.json$/),
      () => appears(place.data, /again\/log\.jsonl$/),
    ]
    for (const [nth, time] of kills.entries()) expect(await killed(more, time), `kill ${nth}`).toBe('SIGKILL')
    const outcome = await moveIn(server.address, place, more)
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(3)
    expect(outcome.stdout).not.toContain('Lost')
    const doctor = await furrow(['doctor', ...at(place), '--module', module])
    expect(doctor.stdout).toBe('Everything is as it should be.\n')
    const { client } = await served(place, [module])
    const found: number[] = []
    for (let page = 0; page * 1000 < logs; page += 1) {
      const { list } = (await client.get(`/log.json?limit=1000&page=${page}`)).body
      found.push(...list.map(({ id }: { id: string }) => Number(id)))
    }
    expect(found).toEqual(server.farm.logs.map(({ id }) => id))
    const inspection = server.farm.logs.find(({ bundle }) => bundle === 'farm_hive_inspection')
    expect((await client.get(`/log/${inspection?.id}.json`)).body).toMatchObject({ type: 'farm_hive_inspection' })
  })

  it('is listed by what this farm does not know before anything is written', async () => {
    const server = await farmos(grownFarm(60))
    const place = await emptyPlace(engine)
    const outcome = await moveIn(server.address, place)
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toMatch(/log type farm_hive_inspection: \d+ records have it/)
    expect(outcome.stderr).toContain('asset type beehive')
    expect(outcome.stderr).toContain('--write-module')
    const { stderr } = await furrow(['doctor', ...at(place)])
    expect(engine === 'sqlite' ? stderr : 'There is no farm').toContain('There is no farm')
  })
})

it('a newer farmOS moves in with the same verdict although it is killed at pages, files, the filling and the comparison', async () => {
  const { farm, log } = willowBend()
  for (let nth = 0; nth < 120; nth += 1) log('observation', { name: `Seen ${nth}` })
  const files = { '/system/files/bess.png': Buffer.from('photo') }
  const server = await startNewerFarmos({ version: '3.4.5', resources: farm.resources, files })
  const whole = await moveIn(server.address, await emptyPlace(engine))
  expect(whole, whole.stdout + whole.stderr).toMatchObject({ code: 0 })
  const place = await emptyPlace(engine)
  const request = (path: RegExp) => () => new Promise<void>((resolve) => server.meanwhile(path, resolve))
  const kills = [
    request(/log\/observation\?.*offset\]=50/),
    request(/log\/observation\?.*offset\]=100/),
    request(/system\/files\/bess\.png/),
    () => appears(place.data, engine === 'sqlite' ? /restoring-[^/]*\/farm\.sqlite$/ : /manifest\.json$/),
    () => appears(place.data, /again\/api-log\.jsonl$/),
  ]
  for (const [nth, time] of kills.entries()) {
    const more = nth === 0 ? [] : ['--resume']
    expect(await moveInUntil({ address: server.address, place, more }, time), `kill ${nth}`).toBe('SIGKILL')
  }
  const resumed = await moveIn(server.address, place, ['--resume'])
  expect(resumed, resumed.stdout + resumed.stderr).toMatchObject({ code: 0 })
  expect(resumed.stdout).toContain('Every record is equal on both sides.')
})
