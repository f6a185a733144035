import { Client as PostgresClient } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { removeAccount } from '../../src/access/accounts.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client } from '../harness/client.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { examined } from '../operation/examined.ts'

const races = rounds({ short: 1, long: 15 })
const text = (words: string) => `data:text/plain;base64,${Buffer.from(words).toString('base64')}`

describe.each(engines)('on %s, two who change things at the same moment', (engine) => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm({ engine })
    worker = await farm.login('worker')
  })

  const log = (fields: object = {}) =>
    worker.create('log', { name: 'Race', type: 'farm_activity', timestamp: 1, ...fields })
  const addressee = async (client: Client) => {
    const { uid } = (await client.read('/farm.json')).user
    return uid
  }
  /** Users that a record or the journal names and that are not there. */
  const namedButGone = () =>
    farm.installation.database.read(async (snapshot) => {
      const known = new Set((await snapshot.selectFrom('account').select('uid').execute()).map(({ uid }) => uid))
      const references = await snapshot
        .selectFrom('reference')
        .innerJoin('path', 'path.id', 'reference.path')
        .select('target_id as uid')
        .where('target_type', '=', 'user')
        .execute()
      const logs = await snapshot.selectFrom('log').select('uid').execute()
      const entries = await snapshot.selectFrom('journal').select('uid').execute()
      return [...references, ...logs, ...entries].filter(({ uid }) => uid !== 0 && !known.has(uid))
    })
  const files = () => farm.installation.database.read((snapshot) => snapshot.selectFrom('file').selectAll().execute())

  test('leave a file to the one who takes it over while the other gives it up', async () => {
    for (let round = 0; round < races; round += 1) {
      const [giver, taker] = [await log({ files: [text(`round ${round}`)] }), await log()]
      const [address] = (await worker.read(`/log/${giver}.json?files=link`)).files
      const [took] = await Promise.all([
        worker.put(`/log/${taker}`, { files: [address] }),
        worker.put(`/log/${giver}`, { files: [] }),
      ])
      const kept = (await worker.read(`/log/${taker}.json`)).files
      expect(kept).toEqual(took.status === 200 ? [text(`round ${round}`)] : [])
    }
  })

  test.each([
    ['in use', '90'],
    ['at all, where the farm has no trash', '0'],
  ])('leave no file behind %s that both have given up', async (_how, days) => {
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', days))
    const left = async () => (await files()).filter((file) => days === '0' || file.unused_since === null)
    const before = await left()
    for (let round = 0; round < races; round += 1) {
      const one = await log({ files: [text(`shared ${round}`)] })
      const [address] = (await worker.read(`/log/${one}.json?files=link`)).files
      const other = await log({ files: [address] })
      await Promise.all([one, other].map((id) => worker.put(`/log/${id}`, { files: [] })))
    }
    expect(await left()).toEqual(before)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', '90'))
  })

  const removed = async (id: string) => {
    expect((await worker.delete(`/log/${id}`)).status).toBe(200)
    return (await worker.read('/trash.json?type=log&limit=1')).list[0].uuid
  }
  const restore = (uuid: string) => worker.send('POST', `/trash/${uuid}/restore`)

  test('either bring a record back or end it, with its file', async () => {
    const manager = await farm.login('manager')
    for (let round = 0; round < races; round += 1) {
      const id = await log({ files: [text(`ended ${round}`)] })
      const uuid = await removed(id)
      const [back, end] = await Promise.all([restore(uuid), manager.delete(`/trash/${uuid}`)])
      expect([back.status, end.status]).toEqual(back.status === 200 ? [200, 404] : [409, 200])
      const { status, body } = await worker.get(`/log/${id}.json`)
      expect([status, body.files]).toEqual(back.status === 200 ? [200, [text(`ended ${round}`)]] : [404, undefined])
    }
    expect(await examined(farm.installation.database)).toEqual([])
  })

  test('never bring a record back to one that is being removed', async () => {
    for (let round = 0; round < races; round += 1) {
      const asset = await worker.create('farm_asset', { name: 'Pump', type: 'equipment' })
      const uuid = await removed(await log({ asset: [{ id: asset }] }))
      const [back, gone] = await Promise.all([restore(uuid), worker.delete(`/farm_asset/${asset}`)])
      expect([back.status, gone.status].toSorted()).toEqual([200, 409])
    }
    expect(await examined(farm.installation.database)).toEqual([])
  })

  test('never lose a file that comes back while another record gives it up', async () => {
    for (let round = 0; round < races; round += 1) {
      const one = await log({ files: [text(`returning ${round}`)] })
      const [address] = (await worker.read(`/log/${one}.json?files=link`)).files
      const other = await log({ files: [address] })
      const uuid = await removed(one)
      const [back] = await Promise.all([restore(uuid), worker.put(`/log/${other}`, { files: [] })])
      expect(back.status).toBe(200)
      expect((await worker.read(`/log/${one}.json`)).files).toEqual([text(`returning ${round}`)])
    }
    expect(await examined(farm.installation.database)).toEqual([])
  })

  test('never put two terms above each other', async () => {
    for (let round = 0; round < races; round += 1) {
      const [one, other] = await Promise.all(
        ['One', 'Other'].map((name) => worker.create('taxonomy_term', { name, vocabulary: 'farm_crops' })),
      )
      const answers = await Promise.all([
        worker.put(`/taxonomy_term/${one}`, { parent: [{ id: other }] }),
        worker.put(`/taxonomy_term/${other}`, { parent: [{ id: one }] }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    }
  })

  test('never remove an account that a log is being given to, or that is writing one', async () => {
    for (let round = 0; round < races; round += 1) {
      const [owner, author] = [await farm.login('worker'), await farm.login('worker')]
      const account = await addressee(owner)
      await Promise.all([
        worker.post('/log', { name: 'Given', type: 'farm_activity', timestamp: 1, log_owner: [{ id: account }] }),
        author.post('/log', { name: 'Written', type: 'farm_activity', timestamp: 1 }),
        removeAccount(farm.installation, owner.login.name),
        removeAccount(farm.installation, author.login.name),
      ])
    }
    expect(await namedButGone()).toEqual([])
  })

  test('never keep a token alive that is revoked while it is renewed', async () => {
    const { name, password } = worker.login
    const ask = (path: string, fields: Record<string, string>) =>
      fetch(`${farm.base}/oauth/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'farm', ...fields }),
      })
    for (let round = 0; round < races; round += 1) {
      const granted = await ask('token', { grant_type: 'password', username: name, password, scope: 'user_access' })
      const { refresh_token } = (await granted.json()) as { refresh_token: string }
      const [renewed] = await Promise.all([
        ask('token', { grant_type: 'refresh_token', refresh_token }),
        ask('revoke', { token: refresh_token }),
      ])
      const { access_token = 'none' } = (await renewed.json()) as { access_token?: string }
      const used = await fetch(`${farm.base}/log.json`, { headers: { authorization: `Bearer ${access_token}` } })
      expect(used.status).toBe(403)
    }
  })
})

test('a removal waits for earlier writes of what refers to it, and is refused while only others are under way', async () => {
  const place = await emptyPlace('postgres')
  const farm = await openFarm({ place })
  const client = await farm.login()
  const log = { type: 'farm_activity', timestamp: '1' }
  const area = await client.create('taxonomy_term', { name: 'Bed', vocabulary: 'farm_areas' })
  const move = await client.create('log', { ...log, name: 'Move', movement: { area: [{ id: area }] } })
  const other = await client.create('log', { ...log, name: 'Other' })
  const holder = new PostgresClient({ connectionString: place.database ?? '' })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select id from log where id = any($1) for update', [[move, other]])
  const waiting = async () => {
    const { rows } = await holder.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n
  }
  const unrelated = client.put(`/log/${other}`, { name: 'Renamed' })
  await expect.poll(waiting).toBe(1)
  expect((await client.delete(`/taxonomy_term/${area}`)).status).toBe(409)
  const related = client.delete(`/log/${move}`)
  await expect.poll(waiting).toBe(2)
  const removal = client.delete(`/taxonomy_term/${area}`)
  await holder.query('commit')
  await holder.end()
  expect((await Promise.all([unrelated, related, removal])).map(({ status }) => status)).toEqual([200, 200, 200])
})
