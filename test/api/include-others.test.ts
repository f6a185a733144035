import { expect, test } from 'vitest'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()

test('people and types of records are included like records, each once, and show what everybody may know', async () => {
  const worker = await farm.login('worker')
  const me = (await worker.get('/api')).body.meta.links.me.meta.id
  const owner = { data: [{ type: 'user--user', id: me }] }
  const { body: made } = await worker.post('/api/log/activity', {
    data: { type: 'log--activity', attributes: { name: 'Weeding' }, relationships: { owner } },
  })
  const { body } = await worker.get(`/api/log/activity/${made.data.id}?include=uid,owner,revision_user,log_type`)
  const [type] = body.included.filter((one: Json) => one.type === 'log_type--log_type')
  expect(body.included).toHaveLength(2)
  expect(type).toMatchObject({ id: body.data.relationships.log_type.data.id, attributes: { label: 'Activity' } })
  const [user] = body.included.filter((one: Json) => one.type === 'user--user')
  expect(user).toMatchObject({ id: me, attributes: { name: worker.login.name } })
  expect(user.attributes).not.toHaveProperty('mail')
})
