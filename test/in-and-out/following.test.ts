import { expect, it } from 'vitest'
import { JsonApiClient } from '../api/json-api-client.ts'
import { furrow } from '../cli/built-furrow.ts'
import { farmos } from '../farmos-server/client.ts'
import { addAccount, addLog } from '../farmos-server/farms/adding.ts'
import { to, willowBend } from '../farmos-server/newer-farm.ts'
import { newerOwner, startNewerFarmos } from '../farmos-server/newer-server.ts'
import type { Json } from '../harness/client.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { at, moveIn, plainHillFarm, served } from './moving-in.ts'

const engine = engineUnderTest()

const later = 1_900_000_000

it('a farm in use follows a farmOS 1.x: untouched records, new ones, removals, questions, and the switch', async () => {
  const there = plainHillFarm()
  const server = await farmos(there)
  const place = await emptyPlace(engine)
  expect(await moveIn(server.address, place)).toMatchObject({ code: 0 })
  const { client } = await served(place)
  const named = (name: string) => there.logs.find((log) => log.name === name) ?? { id: 0, name: '', changed: 0 }
  const [first, second, third] = [named('Vaccination'), named('Oil'), named('Nothing to say')]

  Object.assign(first, { name: 'Renamed there', changed: later })
  Object.assign(second, { name: 'Both, there', changed: later })
  there.logs = there.logs.filter(({ id }) => id !== third.id)
  const author = addAccount(there, 'newcomer', { roles: [4] })
  addLog(there, 'New there', { bundle: 'farm_activity', author, changed: later })
  expect((await client.put(`/log/${second.id}`, { name: 'Both, here' })).status).toBe(200)
  const own = await client.create('log', { name: 'Made here', type: 'farm_activity', timestamp: 1_600_000_000 })

  const followed = await moveIn(server.address, place, ['--follow'])
  expect(followed.code, followed.stdout + followed.stderr).toBe(3)
  expect(followed.stdout).toContain('From the other server: 1 new, 1 changed, 1 removed.')
  expect(followed.stdout).toContain(`log ${second.id} (Both, here) was changed on both sides.`)
  expect(followed.stdout).toContain('name: "Both, there" there, "Both, here" here')
  const log = async (id: number) => (await client.get(`/log/${id}.json`)).body
  expect(await log(first.id)).toMatchObject({ name: 'Renamed there', changed: String(later) })
  expect((await client.get(`/log/${third.id}.json`)).status).toBe(404)
  expect((await log(Number(own))).name).toBe('Made here')
  const { list } = (await client.get('/log.json?name=New there')).body
  expect(list).toHaveLength(1)
  expect(list[0].id).not.toBe(String(own))

  const decided = await moveIn(server.address, place, ['--follow', '--theirs', `log ${second.id}`])
  expect(decided, decided.stdout + decided.stderr).toMatchObject({ code: 0 })
  expect((await log(second.id)).name).toBe('Both, there')
  const quiet = await moveIn(server.address, place, ['--follow'])
  expect(quiet.stdout).toContain('0 new, 0 changed, 0 removed')

  Object.assign(named('New there'), { name: 'New there, renamed', changed: later + 1 })
  const last = await moveIn(server.address, place, ['--follow', '--last'])
  expect(last, last.stdout + last.stderr).toMatchObject({ code: 0 })
  expect(last.stdout).toContain('The switch is done')
  expect((await client.get('/log.json?name=New there, renamed')).body.list).toHaveLength(1)
  const over = await moveIn(server.address, place, ['--follow'])
  expect(over.stderr).toContain('The last following is over')
  const doctor = await furrow(['doctor', ...at(place)])
  expect(doctor.stdout).toContain('Everything is as it should be.')
})

it('a farm in use follows a newer farmOS, with its quantities and files', async () => {
  const { farm, harvest, third, kilo, log, bess, quantity } = willowBend()
  const files: Record<string, Buffer> = { '/system/files/bess.png': Buffer.from('photo') }
  const server = await startNewerFarmos({ version: '3.4.5', resources: farm.resources, files })
  const place = await emptyPlace(engine)
  const run = (...more: readonly string[]) =>
    furrow(['import', 'farmos', server.address, '--user', newerOwner.name, '--password-stdin', ...at(place), ...more], {
      input: newerOwner.password,
    })
  const moved = await run()
  expect(moved, moved.stdout + moved.stderr).toMatchObject({ code: 0 })
  const { client } = await served(place)
  const api = new JsonApiClient(client)
  const changedAt = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')
  const changed = changedAt(later)
  Object.assign(third.attributes, { value: { numerator: 5, denominator: 2, decimal: '2.5' }, changed })
  Object.assign(harvest.attributes, { name: 'Picked again', changed })
  files['/system/files/calf.png'] = Buffer.from('a calf')
  const uri = { value: 'private://calf.png', url: '/system/files/calf.png' }
  const photo = farm.add('file--file', { filename: 'calf.png', filemime: 'image/png', filesize: 6, uri })
  const weighed = quantity(
    'standard',
    { measure: 'weight', value: { numerator: 40, denominator: 1, decimal: '40' } },
    { units: to(kilo) },
  )
  const born = log(
    'birth',
    { name: 'Calf is born' },
    { asset: [to(bess)], mother: to(bess), image: [to(photo)], quantity: [to(weighed)] },
  )
  const followed = await run('--follow')
  expect(followed, followed.stdout + followed.stderr).toMatchObject({ code: 0 })
  expect(followed.stdout).toContain('From the other server: 1 new, 1 changed, 0 removed.')
  expect((await api.read(harvest)).attributes.name).toBe('Picked again')
  expect((await api.read(third)).attributes.value.decimal).toBe('2.5')
  const calf = await api.read(born)
  expect(calf.relationships.quantity.data.map(({ id }: Json) => id)).toEqual([weighed.id])
  expect(calf.relationships.image.data).toHaveLength(1)

  Object.assign(harvest.attributes, { name: 'Both, there', changed: changedAt(later + 1) })
  const number = (await api.read(harvest)).attributes.drupal_internal__id
  expect((await client.put(`/log/${number}`, { name: 'Both, here' })).status).toBe(200)
  const kept = await run('--follow', '--ours', `log ${number}`)
  expect(kept, kept.stdout + kept.stderr).toMatchObject({ code: 0 })
  expect((await api.read(harvest)).attributes.name).toBe('Both, here')
  Object.assign(harvest.attributes, { name: 'Again, there', changed: changedAt(later + 2) })
  const asked = await run('--follow')
  expect(asked.code, asked.stdout + asked.stderr).toBe(3)
  expect(asked.stdout).toContain('name: "Again, there" there, "Both, here" here')
  expect(await run('--follow', '--theirs', 'all')).toMatchObject({ code: 0 })
  expect((await api.read(harvest)).attributes.name).toBe('Again, there')
  const again = await run('--follow', '--last')
  expect(again, again.stdout + again.stderr).toMatchObject({ code: 0 })
  const doctor = await furrow(['doctor', ...at(place)])
  expect(doctor.stdout).toContain('Everything is as it should be.')
})

it('new terms take the number of nothing here; quantities keep authors and times, and may wait for a log', async () => {
  const { farm, log, asset, quantity, third, hanna } = willowBend()
  const nameless = asset('plant', { name: 'Of no crop' }, { plant_type: [], season: [] })
  const one = { numerator: 1, denominator: 1, decimal: '1' }
  const alone = quantity('standard', { measure: 'count', value: one })
  const files = { '/system/files/bess.png': Buffer.from('photo') }
  const server = await startNewerFarmos({ version: '3.4.5', resources: farm.resources, files })
  const place = await emptyPlace(engine)
  const run = (...more: readonly string[]) =>
    furrow(['import', 'farmos', server.address, '--user', newerOwner.name, '--password-stdin', ...at(place), ...more], {
      input: newerOwner.password,
    })
  expect(await run()).toMatchObject({ code: 3 })
  const { client } = await served(place)
  const api = new JsonApiClient(client)
  const crop = farm.add('taxonomy_term--plant_type', { name: 'Kale' }, { parent: [], companions: [] })
  const family = farm.add('taxonomy_term--crop_family', { name: 'Cabbages' }, { parent: [] })
  const taking = log('activity', { name: 'Takes it' }, { quantity: [to(alone)] })
  const waiting = quantity('standard', { measure: 'count', value: one, label: 'waits' })
  const changed = new Date(later * 1000).toISOString().replace('.000Z', '+00:00')
  Object.assign(third.attributes, { label: 'a third', changed })
  const followed = await run('--follow')
  expect(followed, followed.stdout + followed.stderr).toMatchObject({ code: 0 })
  expect((await api.read(crop)).attributes.name).toBe('Kale')
  expect((await api.read(family)).attributes.name).toBe('Cabbages')
  const plant = await api.read(nameless, '?include=plant_type')
  expect(plant.relationships.plant_type.data).toHaveLength(1)
  expect(plant.relationships.plant_type.data[0].id).not.toBe(crop.id)
  expect((await api.read(taking)).relationships.quantity.data.map(({ id }: Json) => id)).toEqual([alone.id])
  for (const { attributes, ...quantity } of [third, waiting]) {
    const here = await api.read(quantity)
    expect(here.attributes).toMatchObject({ created: attributes.created, changed: attributes.changed })
    expect(here.relationships.uid.data.id).toBe(hanna.id)
  }
  farm.resources.splice(farm.resources.indexOf(waiting), 1)
  const last = await run('--follow', '--last')
  expect(last, last.stdout + last.stderr).toMatchObject({ code: 0 })
  expect((await api.get(`/api/quantity/standard/${waiting.id}`)).status).toBe(404)
  const doctor = await furrow(['doctor', ...at(place)])
  expect(doctor.stdout).toContain('Everything is as it should be.')
})

it('a farm moves in again under the same people', async () => {
  const there = plainHillFarm()
  const server = await farmos(there)
  const place = await emptyPlace(engine)
  expect(await moveIn(server.address, place)).toMatchObject({ code: 0 })
  await furrow(['user', 'set-role', 'hanna', 'manager', ...at(place)])
  addLog(there, 'Came later', { bundle: 'farm_activity' })
  const refused = await moveIn(server.address, place)
  expect(refused.stderr).toContain('There are records')
  const again = await moveIn(server.address, place, ['--again'])
  expect(again, again.stdout + again.stderr).toMatchObject({ code: 0 })
  const people = await furrow(['user', 'list', ...at(place)])
  expect(people.stdout).not.toContain('(farmOS')
  expect(people.stdout).toMatch(/hanna .*manager/)
  const { client } = await served(place)
  expect((await client.get('/log.json?name=Came later')).body.list).toHaveLength(1)
})
