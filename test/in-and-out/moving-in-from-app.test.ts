import { expect, it } from 'vitest'
import { app, passwordRequest, person, token } from '../access/flow.ts'
import { JsonApiClient } from '../api/json-api-client.ts'
import { farmos } from '../farmos-server/client.ts'
import { addLog } from '../farmos-server/farms/adding.ts'
import { hillFarm, manager } from '../farmos-server/farms/hill-farm.ts'
import { willowBend } from '../farmos-server/newer-farm.ts'
import { newerOwner, startNewerFarmos } from '../farmos-server/newer-server.ts'
import { Client, type Json } from '../harness/client.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { plainHillFarm } from './moving-in.ts'

const later = 1_900_000_000

interface OpenedFarm {
  readonly farm: FarmUnderTest
  /** Runs the farm. */
  readonly owner: Client
  /** Records. */
  readonly client: Client
}

async function openedFarm(options: Parameters<typeof openFarm>[0] = {}): Promise<OpenedFarm> {
  const farm = await openFarm({ settings: { moveFromPrivate: true }, ...options })
  const program = await app(farm, { grants: ['password'], scopes: ['farm_admin'], redirectUris: [] })
  const asked = passwordRequest(await person(farm), { client_id: program.id, scope: 'farm_admin' })
  const { access_token } = (await token(farm, asked)).body
  const owner = new Client(farm.base, { authorization: `Bearer ${access_token}` })
  return { farm, owner, client: await farm.login() }
}

const look = (owner: Client, address: string, who: { name: string; password: string } = manager) =>
  owner.post('/administer/move-in.json', { address, user: who.name, password: who.password })

/** Starts a run and waits for its end. */
async function run(owner: Client, what: string, more: Json = {}): Promise<Json> {
  const started = await owner.post('/administer/move-in/run', { what, ...more })
  expect(started, started.text).toMatchObject({ status: 200 })
  return ended(owner)
}

async function allowRecording(owner: Client): Promise<void> {
  const { body } = await owner.post('/administer/move-in/run', { what: 'allow-recording' })
  expect(body).toMatchObject({ recording: true })
}

const state = async (owner: Client): Promise<Json> => (await owner.get('/administer/move-in.json')).body

async function ended(owner: Client): Promise<Json> {
  await expect.poll(async () => (await state(owner)).status, { timeout: 60_000 }).not.toBe('running')
  return state(owner)
}

it('a manager moves a farmOS 1.x in while the server runs, follows it, decides, switches', async () => {
  const there = plainHillFarm()
  const server = await farmos(there)
  const { farm, owner, client } = await openedFarm()
  const outlook = await look(owner, server.address)
  expect(outlook, outlook.text).toMatchObject({
    status: 200,
    body: { status: 'ready', logged_in: true, outlook: { interface: '1.x', without_private_files: false } },
  })
  expect(outlook.body.outlook.pages).toBeGreaterThan(4)
  const moved = await run(owner, 'move')
  expect(moved, JSON.stringify(moved, null, 1)).toMatchObject({
    status: 'moved',
    trouble: null,
    questions: [],
    verdict: { lost: 0 },
  })
  for (const { id, name } of there.logs) expect((await client.get(`/log/${id}.json`)).body.name, name).toBe(name)
  expect(moved.verdict.groups.map(({ cause }: Json) => cause)).toEqual(['file-description'])

  const named = (name: string) =>
    there.logs.find((log) => log.name === name) ?? { id: 0, name: '', bundle: '', changed: 0 }
  const [first, second] = [named('Vaccination'), named('Oil')]
  Object.assign(first, { name: 'Renamed there', changed: later })
  Object.assign(second, { name: 'Both, there', changed: later })
  await allowRecording(owner)
  await client.put(`/log/${second.id}`, { name: 'Both, here' })
  const followed = await run(owner, 'follow')
  expect(followed).toMatchObject({ counts: { created: 0, updated: 1, removed: 0 }, trouble: null })
  const question = {
    record: `log ${second.id}`,
    type: second.bundle,
    name: 'Both, here',
    sentence: 'was changed on both sides.',
    sides: [{ field: 'name', there: 'Both, there', here: 'Both, here' }],
  }
  expect(followed.questions).toMatchObject([question])
  expect((await client.get(`/log/${first.id}.json`)).body.name).toBe('Renamed there')
  await owner.post('/administer/move-in/run', { what: 'last' })
  const ended = await owner.post('/administer/move-in/run', { what: 'end' })
  expect(ended.body).toMatchObject({ status: 'stopped', questions: [question] })
  await look(owner, server.address)
  const open = await run(owner, 'last')
  expect(open).toMatchObject({ status: 'moved', questions: [{ record: `log ${second.id}` }] })
  const over = await run(owner, 'last', { ours: [`log ${second.id}`] })
  expect(over, JSON.stringify(over, null, 1)).toMatchObject({ status: 'switched', questions: [] })
  expect((await client.get(`/log/${second.id}.json`)).body.name).toBe('Both, here')
  const again = await look(owner, server.address)
  expect(again, again.text).toMatchObject({ status: 409, body: { type: 'urn:furrow:refusal:move-refused' } })
  expect(farm.lines.join('\n')).not.toContain(manager.password)
  const kept = await farm.installation.database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())
  expect(JSON.stringify(kept)).not.toContain(manager.password)
})

it('in a trial every door refuses records until a manager allows them, also after a restart; dry runs work', async () => {
  const server = await farmos(plainHillFarm())
  const place = await emptyPlace(engineUnderTest())
  const before = await openedFarm({ place })
  expect((await before.client.get('/me.json')).body.trial).toBeNull()
  expect((await before.owner.post('/administer/move-in/run', { what: 'allow-recording' })).status).toBe(409)
  const own = await before.client.create('log', { name: 'Before', type: 'farm_activity', timestamp: 1_600_000_000 })
  await look(before.owner, server.address)
  expect(await run(before.owner, 'move')).toMatchObject({ status: 'moved', recording: false })
  await before.farm.close()

  const { owner, client } = await openedFarm({ place })
  const log = { name: 'Meanwhile', type: 'farm_activity', timestamp: 1_600_000_000 }
  const writes = () => [
    client.post('/log', log),
    client.put(`/log/${own}`, { name: 'Changed' }),
    client.delete(`/log/${own}`),
    client.post('/batch', { operations: [{ method: 'POST', path: '/log', body: log }] }),
    new JsonApiClient(client).make('log/activity', { attributes: { name: 'Meanwhile' } }),
  ]
  for (const { status, text } of await Promise.all(writes())) {
    expect([status, text]).toEqual([403, expect.stringContaining('recording-off')])
    expect(text).toContain('A manager can allow recording')
  }
  expect((await client.post('/log?dry_run=1', log)).status).toBe(201)
  expect((await client.get('/me.json')).body.trial).toEqual({ address: server.address, recording: false })
  expect((await client.read(`/log/${own}.json`)).name).toBe('Before')

  await allowRecording(owner)
  expect((await client.get('/me.json')).body.trial).toEqual({ address: server.address, recording: true })
  expect((await client.post('/log', log)).status).toBe(201)
  expect((await owner.post('/administer/move-in/run', { what: 'stop-recording' })).body.recording).toBe(false)
  expect((await client.post('/log', log)).status).toBe(403)
  expect(await run(owner, 'undo')).toMatchObject({ status: 'undone', recording: true })
  expect((await client.get('/me.json')).body.trial).toBeNull()
  expect((await client.post('/log', log)).status).toBe(201)
})

it('a newer farmOS moves into a farm with records; undo leaves what people recorded; it moves in again', async () => {
  const { farm: there, harvest, asset } = willowBend()
  const hive = asset('beehive', { name: 'Hive 1', frames: 10 })
  there.add('user--user', { name: 'gone', display_name: 'gone', status: false })
  const server = await startNewerFarmos({
    version: '3.4.5',
    resources: there.resources,
    files: { '/system/files/bess.png': Buffer.from('photo') },
  })
  const { owner, client, farm } = await openedFarm()
  const own = await client.create('log', { name: 'Made before', type: 'farm_activity', timestamp: 1_600_000_000 })
  expect((await look(owner, server.address, newerOwner)).body).toMatchObject({ outlook: { interface: 'api' } })
  const moved = await run(owner, 'move')
  expect(moved, JSON.stringify(moved, null, 1)).toMatchObject({ status: 'moved', trouble: null, verdict: { lost: 0 } })
  const api = new JsonApiClient(client)
  expect((await api.read({ ...hive, type: 'asset--equipment' })).attributes.data).toContain('frames: 10')
  expect((await api.read(harvest)).attributes.name).toBe(harvest.attributes.name)
  expect((await client.read(`/log/${own}.json`)).name).toBe('Made before')

  const taken = moved.verdict.groups.find(({ cause }: Json) => cause === 'renumbered')
  expect(taken.examples.join()).toMatch(/^log--\w+ 1 is log \d+ here/m)

  await allowRecording(owner)
  const number = (await api.read(harvest)).attributes.drupal_internal__id
  await client.put(`/log/${number}`, { name: 'Changed here' })
  const later = await client.create('log', { name: 'Made after', type: 'farm_activity', timestamp: 1_600_000_000 })
  const since = (await owner.get('/administer/move-in/since.json')).body
  expect(since).toMatchObject({ changed: 1 })
  const undone = await run(owner, 'undo')
  expect(undone).toMatchObject({ status: 'undone', trouble: null })
  expect((await client.ids('/log.json?type=farm_activity')).toSorted()).toEqual([own, later].toSorted())
  expect((await client.read(`/log/${number}.json`)).name).toBe('Changed here')
  expect((await client.ids('/farm_asset.json')).length).toBeLessThan(moved.counts.created / 2)

  await look(owner, server.address, newerOwner)
  const again = await run(owner, 'move')
  expect(again, JSON.stringify(again, null, 1)).toMatchObject({ status: 'moved', trouble: null })
  expect(again.accounts.length).toBe(moved.accounts.length)
  const gone = again.accounts.find(({ name }: Json) => name === 'gone')
  expect(gone).toMatchObject({ blocked: true, can_be_invited: false })
  const refused = { people: [{ id: gone.id, role: 'worker' }] }
  expect((await owner.post('/administer/move-in/invitations.json', refused)).status).toBe(422)
  const people = again.accounts.filter((account: Json) => account.can_be_invited)
  const { status, body } = await owner.post('/administer/move-in/invitations.json', {
    people: people.map(({ id }: Json) => ({ id, role: 'worker' })),
  })
  expect(status).toBe(201)
  expect(body.invitations).toHaveLength(people.length)
  expect(body.invitations[0].link).toMatch(new RegExp(`^${farm.base}/new-password#`))
  expect((await state(owner)).accounts.filter((account: Json) => account.blocked).length).toBe(
    again.accounts.length - people.length,
  )
})

it('a paused move goes on, after a restart with a new login; unknown types come as activities', async () => {
  const there = hillFarm()
  addLog(there, 'Compost tea', { bundle: 'farm_compost_tea' })
  const server = await farmos(there)
  const place = await emptyPlace(engineUnderTest())
  const before = await openedFarm({ place })
  await look(before.owner, server.address)
  const step = (owner: Client, what: string) => owner.post('/administer/move-in/run', { what })
  await step(before.owner, 'move')
  expect((await step(before.owner, 'pause')).body.status).toBe('paused')
  expect((await look(before.owner, server.address)).status).toBe(409)
  expect((await step(before.owner, 'end')).body).toMatchObject({ status: 'stopped', logged_in: false, trouble: null })
  await look(before.owner, server.address)
  await step(before.owner, 'move')
  expect((await step(before.owner, 'pause')).body.status).toBe('paused')
  await before.farm.close()

  const { owner, client } = await openedFarm({ place })
  expect(await state(owner)).toMatchObject({ status: 'stopped', run: 'move', logged_in: false })
  expect((await step(owner, 'move')).body.detail).toContain('Log in to the other server again')
  await look(owner, server.address)
  await step(owner, 'move')
  await step(owner, 'pause')
  expect((await step(owner, 'go-on')).body.status).toBe('running')
  const moved = await ended(owner)
  expect(moved, JSON.stringify(moved, null, 1)).toMatchObject({ status: 'moved', trouble: null })
  const { list } = await client.read('/log.json?name=Compost tea')
  expect(list).toMatchObject([{ type: 'farm_activity' }])
  expect(list[0].data).toContain('type: farm_compost_tea')
  const causes = moved.verdict.groups.map(({ cause }: Json) => cause)
  expect(causes).toEqual(expect.arrayContaining(['unknown-type']))
  expect((await owner.get('/administer/move-in/report.txt')).text).toContain('farm_compost_tea is not known here')
})

it('a private address is refused unless the operator allows it, and so are wrong passwords and addresses', async () => {
  const server = await farmos(plainHillFarm())
  const closed = await openedFarm({ settings: {} })
  const refused = await look(closed.owner, server.address)
  expect(refused).toMatchObject({ status: 409, body: { type: 'urn:furrow:refusal:move-refused' } })
  expect(refused.body.detail).toContain('--move-from-private')
  expect(await state(closed.owner)).toMatchObject({ status: 'none' })
  const { owner } = await openedFarm()
  const wrong = await look(owner, server.address, { name: manager.name, password: 'not this one' })
  expect(wrong).toMatchObject({ status: 409 })
  expect(wrong.body.detail).toContain('does not take this user name and password')
  expect((await look(owner, 'ftp://farm.example')).status).toBe(422)
  expect((await look(owner, 'https://user:secret@farm.example')).status).toBe(422)
  expect((await owner.post('/administer/move-in/run', { what: 'move' })).status).toBe(409)
  expect((await owner.post('/administer/move-in/run', { what: 'dance' })).status).toBe(422)
})
