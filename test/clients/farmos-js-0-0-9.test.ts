import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { CookieJar } from './cookie-jar.ts'

const usual = { 'content-type': 'application/json', accept: 'json' }

describe.each(atLeastOn('sqlite'))('what farmOS.js 0.0.9 sends on %s', (engine) => {
  let farm: FarmUnderTest
  let jar: CookieJar
  let token: string
  const ask = async (path: string): Promise<Json> => (await jar.send('GET', path, { headers: usual })).json()
  const send = async (method: string, path: string, payload: unknown): Promise<Json> => {
    const headers = { ...usual, 'x-csrf-token': token }
    const answer = await jar.send(method, path, { headers, body: JSON.stringify(payload) })
    expect(answer.ok, path).toBe(true)
    return answer.json()
  }

  beforeAll(async () => {
    farm = await openFarm({ engine })
    const { name, password } = (await farm.login('worker')).login
    jar = new CookieJar(farm.base)
    const headers = { ...usual, 'content-type': 'application/x-www-form-urlencoded' }
    // The client joins the form by hand, without encoding.
    const body = `name=${name}&pass=${password}&form_id=user_login`
    expect((await jar.follow('POST', '/user/login', { headers, body })).ok).toBe(true)
    token = await (await jar.send('GET', '/restws/session/token', { headers })).text()
  })

  it('lists with the empty places that it leaves in its queries', async () => {
    for (const path of [
      '/log.json?&page=0',
      '/farm_asset.json?&archived=0&page=0',
      '/taxonomy_term.json?vocabulary=1&&page=0',
      '/log.json?type[0]=farm_activity&type[1]=farm_observation&page=0&done=0',
    ]) {
      const { list, last } = await ask(path)
      expect(list, path).toEqual(expect.any(Array))
      expect(new URL(last).searchParams.get('page'), path).toBe('0')
    }
  })

  it('creates a log, changes it with all that it read, and finds it again', async () => {
    const made = await send('POST', '/log', {
      name: 'Mulched',
      type: 'farm_activity',
      timestamp: '1580000000',
      done: true,
    })
    const read = await ask(`/log/${made.id}.json`)
    expect(await send('PUT', `/log/${made.id}`, { ...read, name: 'Mulched again' })).toMatchObject({
      name: 'Mulched again',
    })
    expect((await ask('/log.json?type[0]=farm_activity&done=1')).list).toMatchObject([
      { id: made.id, name: 'Mulched again' },
    ])
  })

  it('changes an asset by posting to its address', async () => {
    const { id } = await send('POST', '/farm_asset.json', { name: 'Ewes', type: 'group' })
    await send('POST', `/farm_asset/${id}.json`, { name: 'Old ewes' })
    expect(await ask(`/farm_asset/${id}.json`)).toMatchObject({ name: 'Old ewes', type: 'group' })
  })

  it('looks areas up by the number of their vocabulary', async () => {
    const { list } = await ask('/taxonomy_vocabulary.json')
    const { vid } = list.find((one: Json) => one.machine_name === 'farm_areas')
    const area = { name: 'Meadow', vocabulary: vid, area_type: 'paddock' }
    const { id } = await send('POST', `/taxonomy_term.json?vocabulary=${vid}.json`, area)
    expect((await ask(`/taxonomy_term.json?vocabulary=${vid}&tid=${id}`)).list).toMatchObject([{ tid: id }])
    expect((await ask(`/taxonomy_term.json?vocabulary=${vid}&area_type=paddock&page=0`)).list).toHaveLength(1)
  })
})
