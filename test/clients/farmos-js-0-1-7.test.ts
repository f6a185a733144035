import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { type FarmOS, farmOS } from './farmos-package.ts'

const noon = 1_780_000_000
const statusOf = (error: Json): number => error.response?.status
const idsOf = ({ list }: Json): string[] => list.map((record: Json) => record.id)

describe.each(atLeastOn('sqlite'))('the farmos package 0.1.7, unchanged, on %s', (engine) => {
  let farm: FarmUnderTest
  let login: { readonly name: string; readonly password: string }
  let client: FarmOS

  const began = Date.now()

  beforeAll(async () => {
    farm = await openFarm({ engine })
    login = (await farm.login('manager')).login
    client = farmOS(farm.base, {})
    await client.authorize(login.name, login.password)
  })

  it('logs in with the password grant and knows when its token ends', async () => {
    const { access_token, refresh_token, expires } = client.getToken()
    expect([access_token.length, refresh_token.length].every((length) => length > 20)).toBe(true)
    expect(expires - 3_600_000).toBeGreaterThan(began)
    expect(expires - 3_600_000).toBeLessThanOrEqual(Date.now())
    await expect(farmOS(farm.base, {}).authorize(login.name, 'wrong')).rejects.toSatisfy(
      (error) => statusOf(error) >= 400,
    )
  })

  it('reads about the farm and its vocabularies', async () => {
    expect(await client.info()).toMatchObject({ url: farm.base, api_version: '1.3', user: { name: login.name } })
    const { list } = await client.vocabulary('farm_crops')
    expect(list).toMatchObject([{ machine_name: 'farm_crops' }])
    expect((await client.vocabulary()).list.length).toBeGreaterThanOrEqual(9)
  })

  it('creates, reads, updates, filters and deletes logs', async () => {
    const made = await client.log.send({
      name: 'Observed the lambs',
      type: 'farm_observation',
      timestamp: String(noon),
      done: '0',
      quantity: [{ measure: 'count', value: '12', unit: { name: 'lambs' }, label: '' }],
    })
    expect(made).toMatchObject({ resource: 'log', uri: `${farm.base}/log/${made.id}` })
    expect(await client.log.get(Number(made.id))).toMatchObject({ name: 'Observed the lambs', done: '0' })
    const sent = await client.log.send({
      id: made.id,
      done: '1',
      notes: { value: 'All well', format: 'farm_format' },
    })
    expect(sent).toMatchObject({ id: made.id, resource: 'log', done: '1' })
    const { uid } = (await client.info()).user
    const mine = { type: ['farm_observation', 'farm_activity'], done: 1, log_owner: uid }
    expect(idsOf(await client.log.get(mine))).toEqual([made.id])
    expect(idsOf(await client.log.get({ ...mine, done: 0 }))).toEqual([])
    await client.log.delete(made.id)
    await expect(client.log.get(Number(made.id))).rejects.toSatisfy((error) => statusOf(error) === 404)
  })

  it('fetches all pages of more than a hundred logs, one page, and many by their ids', async () => {
    const ids: string[] = []
    for (let number = 1; number <= 205; number += 1) {
      const { id } = await client.log.send({
        name: `Round ${number}`,
        type: 'farm_activity',
        timestamp: noon + number,
      })
      ids.push(id)
    }
    expect(idsOf(await client.log.get({ type: ['farm_activity'] }))).toEqual(ids)
    expect(idsOf(await client.log.get({ page: 2, type: ['farm_activity'] }))).toEqual(ids.slice(200))
    expect(idsOf(await client.log.get(ids.slice(0, 150))).toSorted()).toEqual(ids.slice(0, 150).toSorted())
    expect((await client.log.get({})).list.length).toBeGreaterThanOrEqual(205)
  })

  it('creates, reads, updates, filters and deletes assets', async () => {
    const { id } = await client.asset.send({ name: 'Rose', type: 'animal', animal_type: { name: 'Goat' } })
    const gone = await client.asset.send({
      name: 'Thorn',
      type: 'animal',
      animal_type: { name: 'goat' },
      archived: '5',
    })
    expect(await client.asset.get(Number(id))).toMatchObject({ name: 'Rose', animal_type: { name: 'Goat' } })
    expect(idsOf(await client.asset.get({ type: 'animal' }))).toEqual([id])
    expect(idsOf(await client.asset.get({ type: 'animal', archived: true }))).toEqual([id, gone.id])
    expect(idsOf(await client.asset.get({ page: 0 }))).toEqual([id])
    await client.asset.send({ name: 'Rosie' }, id)
    expect(await client.asset.get(Number(id))).toMatchObject({ name: 'Rosie' })
    await client.asset.delete(gone.id)
    expect(idsOf(await client.asset.get({ archived: true }))).toEqual([id])
  })

  it('creates, finds and updates terms', async () => {
    const [{ vid }] = (await client.vocabulary('farm_crops')).list
    const { id } = await client.term.send({ name: 'Kale', vocabulary: { id: vid, resource: 'taxonomy_vocabulary' } })
    await client.term.send({ tid: id, description: 'Frost makes it sweet' })
    expect(idsOf(await client.term.get('farm_crops'))).toEqual([id])
    expect((await client.term.get({ name: 'kale' })).list[0]).toMatchObject({
      tid: id,
      description: 'Frost makes it sweet',
    })
    expect(idsOf(await client.term.get({ vocabulary: vid, page: 0 }))).toEqual([id])
  })

  it('creates, finds and maps areas', async () => {
    const [{ vid }] = (await client.vocabulary('farm_areas')).list
    const made = await client.area.send({
      name: 'Home field',
      vocabulary: vid,
      area_type: 'field',
      geofield: [{ geom: 'POLYGON ((0 0, 1 0, 1 1, 0 0))' }],
    })
    expect((await client.area.get(Number(made.id))).list).toMatchObject([{ tid: made.id, area_type: 'field' }])
    expect(idsOf(await client.area.get({ type: 'field' }))).toEqual([made.id])
    expect(idsOf(await client.area.get({ page: 0 }))).toEqual([made.id])
    expect((await client.area.geojson()).features).toHaveLength(1)
    // The package asks for the deletion of the whole collection; nothing is lost by it.
    await expect(client.area.delete(made.id)).rejects.toSatisfy((error) => statusOf(error) === 405)
    expect(idsOf(await client.area.get())).toEqual([made.id])
  })

  it('refreshes its token when a request is refused, and asks again', async () => {
    const before = client.getToken()
    farm.setClock(Math.floor(Date.now() / 1000) + 4_000)
    const answers = await Promise.all([client.info(), client.log.get({ page: 0 }), client.term.get('farm_crops')])
    expect(answers[0].user.name).toBe(login.name)
    const after = client.getToken()
    expect(after.access_token).not.toBe(before.access_token)
    expect(after.refresh_token).not.toBe(before.refresh_token)
    farm.setClock(null)
  })

  it('gives its tokens back', async () => {
    const leaving = farmOS(farm.base, {})
    const { access_token } = await leaving.authorize(login.name, login.password)
    expect(await leaving.revokeTokens()).toBe(true)
    const refused = await fetch(`${farm.base}/farm.json`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(refused.status).toBe(403)
  })
})
