import { describe, expect, test } from 'vitest'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const ada = await farm.login('manager')

async function made(type: string, attributes: Json, relationships: Json = {}): Promise<Json> {
  const answer = await ada.post(`/api/${type.replace('--', '/')}`, { data: { type, attributes, relationships } })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body.data
}

async function changed({ type, id }: Json, attributes: Json): Promise<Json> {
  const path = `/api/${type.replace('--', '/')}/${id}`
  const answer = await ada.sendJson('PATCH', path, { data: { type, id, attributes } })
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body.data.attributes
}

const read = async ({ type, id }: Json): Promise<Json> =>
  (await ada.get(`/api/${type.replace('--', '/')}/${id}`)).body.data.attributes

describe('the message of a revision', () => {
  test('belongs to that revision alone', async () => {
    const log = await made('log--activity', { name: 'Mow', revision_log_message: 'First cut' })
    expect(log.attributes.revision_log_message).toBe('First cut')
    expect((await changed(log, { name: 'Mow' })).revision_log_message).toBe('First cut')
    expect((await changed(log, { name: 'Mow again' })).revision_log_message).toBeNull()
  })

  test('stands on the log where a log has the quantity that is changed', async () => {
    const heads = await made('quantity--standard', { label: 'Heads', revision_log_message: 'Counted' })
    expect(heads.attributes.revision_log_message).toBe('Counted')
    const { type, id } = heads
    const log = await made('log--harvest', { name: 'Pick' }, { quantity: { data: [{ type, id }] } })
    await changed(heads, { label: 'Lettuces', revision_log_message: 'Called by name' })
    expect(await read(log)).toMatchObject({ drupal_internal__revision_id: 2, revision_log_message: 'Called by name' })
    const shown = await read(heads)
    await changed(heads, shown)
    expect(await read(log)).toMatchObject({ drupal_internal__revision_id: 2, revision_log_message: 'Called by name' })
    await changed(heads, { label: 'Heads of lettuce', revision_log_message: null })
    expect(await read(log)).toMatchObject({ drupal_internal__revision_id: 3, revision_log_message: null })
  })
})
