import { describe, expect, test } from 'vitest'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { addressOf, JsonApiClient, type Named, named, pointers, to } from './json-api-client.ts'

const farm = await openFarm()
const manager = await farm.login('manager')
const ada = new JsonApiClient(manager)

const amountOf = (label: string, more: Json = {}): Promise<Json> => ada.made('quantity/standard', { label, ...more })
const quantitiesOf = async (log: Named): Promise<string[]> =>
  (await ada.read(log)).relationships.quantity.data.map(({ id }: Json) => id)
const isThere = async (resource: Named): Promise<boolean> => (await ada.get(addressOf(resource))).status === 200
const olderOf = (log: Json) => manager.read(`/log/${log.attributes.drupal_internal__id}.json`)

describe('a quantity', () => {
  test('is made before its log, waits, and is taken over under the same id and number', async () => {
    const amount = await amountOf('Crate', { measure: 'weight', value: { decimal: '2.5' } })
    expect(amount.attributes).toMatchObject({
      drupal_internal__id: expect.any(Number),
      drupal_internal__revision_id: expect.any(Number),
      value: { numerator: 25, denominator: 10, decimal: '2.5' },
    })
    const log = await ada.made('log/harvest', {}, { quantity: to([amount]) })
    const [taken] = log.relationships.quantity.data
    expect(taken).toMatchObject({
      ...named(amount),
      meta: { drupal_internal__target_id: amount.attributes.drupal_internal__id },
    })
    const { attributes } = await ada.read(amount)
    const { label, measure, value, drupal_internal__id } = amount.attributes
    expect(attributes).toMatchObject({ label, measure, value, drupal_internal__id })
    expect((await olderOf(log)).quantity).toMatchObject([{ label: 'Crate', measure: 'weight', value: '2.5' }])
  })

  test('that nobody takes stays, is listed, and can be changed and removed', async () => {
    const amount = await amountOf('Alone')
    const changed = await ada.change(amount, { attributes: { label: 'Still alone', value: { decimal: '1' } } })
    expect([changed.status, changed.body.data.attributes.label]).toEqual([200, 'Still alone'])
    const found = await ada.get('/api/quantity/standard?filter[label]=Still alone')
    expect(found.body.data).toMatchObject([named(amount)])
    expect((await ada.drop(amount)).status).toBe(204)
    expect(await isThere(amount)).toBe(false)
  })

  test('belongs to one log: a second that names it is 422 and is not made', async () => {
    const amount = await amountOf('Mine')
    const log = await ada.made('log/activity', {}, { quantity: to([amount]) })
    const second = await ada.make('log/activity', {
      attributes: { name: 'Second' },
      relationships: { quantity: to([amount]) },
    })
    expect([second.status, pointers(second)]).toEqual([422, ['/data/relationships/quantity/data/0']])
    expect((await ada.get('/api/log/activity?filter[name]=Second')).body.data).toEqual([])
    const third = await ada.made('log/activity', { name: 'Third' })
    const added = await ada.send('POST', `${addressOf(third)}/relationships/quantity`, to([amount]))
    expect([added.status, pointers(added)]).toEqual([422, ['/data/0']])
    expect([await quantitiesOf(log), await quantitiesOf(third)]).toEqual([[amount.id], []])
  })

  test('that its log lets go waits again with what it says, and another log may take it', async () => {
    const amount = await amountOf('Free', { value: { decimal: '3' } })
    const log = await ada.made('log/activity', {}, { quantity: to([amount]) })
    expect((await ada.change(log, { relationships: { quantity: to([]) } })).status).toBe(200)
    expect((await ada.read(amount)).attributes).toMatchObject({ label: 'Free', value: { decimal: '3' } })
    expect((await olderOf(log)).quantity).toEqual([])
    const other = await ada.made('log/activity', {}, { quantity: to([amount]) })
    expect([await quantitiesOf(log), await quantitiesOf(other)]).toEqual([[], [amount.id]])
  })

  test('that a log takes is changed at its own address, which is a change of the log', async () => {
    const amount = await amountOf('One')
    const log = await ada.made('log/activity', { name: 'Weigh' }, { quantity: to([amount]) })
    const changed = await ada.change(amount, { attributes: { label: 'Two' } })
    expect([changed.status, changed.body.data.attributes.label]).toEqual([200, 'Two'])
    const after = await ada.read(log)
    expect(after.attributes).toMatchObject({ name: 'Weigh', drupal_internal__revision_id: 2 })
    expect((await ada.read(amount)).attributes.drupal_internal__revision_id).toBe(2)
    expect((await olderOf(log)).quantity).toMatchObject([{ label: 'Two' }])
  })

  test('that a log takes is removed at its own address, and leaves the others where they are', async () => {
    const amounts = [await amountOf('a'), await amountOf('b'), await amountOf('c')]
    const log = await ada.made('log/activity', {}, { quantity: to(amounts) })
    const [first, second, third] = amounts
    expect((await ada.drop(second)).status).toBe(204)
    expect(await quantitiesOf(log)).toEqual([first.id, third.id])
    expect([await isThere(first), await isThere(second), await isThere(third)]).toEqual([true, false, true])
    expect((await ada.drop(second)).status).toBe(204)
  })

  test('goes with its log: its own removal is 204 then, and it comes back with it', async () => {
    const amount = await amountOf('Gone')
    const log = await ada.made('log/activity', {}, { quantity: to([amount]) })
    expect((await ada.drop(log)).status).toBe(204)
    expect(await isThere(amount)).toBe(false)
    expect((await ada.drop(amount)).status).toBe(204)
    const restored = await manager.send('POST', `/trash/${log.id}/restore`)
    expect([restored.status < 300, restored.text]).toEqual([true, expect.any(String)])
    expect(await quantitiesOf(log)).toEqual([amount.id])
    expect((await ada.read(amount)).attributes.label).toBe('Gone')
  })

  test('is removed together with its log, its unit and its place at the same moment', async () => {
    const unit = await ada.made('taxonomy_term/unit', { name: 'Bushel' })
    const amount = await ada.made('quantity/standard', { label: 'x' }, { units: to(unit) })
    const log = await ada.made('log/activity', {}, { quantity: to([amount]) })
    const answers = await Promise.all([ada.drop(log), ada.drop(amount)])
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    expect((await ada.drop(unit)).status).toBe(204)
  })

  test('of a log that is refused goes on waiting', async () => {
    const amount = await amountOf('Waits')
    const refused = await ada.make('log/activity', {
      attributes: { status: 'perhaps' },
      relationships: { quantity: to([amount]) },
    })
    expect(refused.status).toBe(422)
    expect(await ada.read(amount)).toEqual(amount)
    expect(await quantitiesOf(await ada.made('log/activity', {}, { quantity: to([amount]) }))).toEqual([amount.id])
  })

  test('that is not there, or is twice there, is no quantity of a log', async () => {
    const nobody = { type: 'quantity--standard', id: '00000000-0000-4000-8000-000000000000' }
    const missing = await ada.make('log/activity', { relationships: { quantity: to([nobody]) } })
    expect([missing.status, pointers(missing)]).toEqual([404, ['/data/relationships/quantity/data/0']])
    const gone = await amountOf('Gone')
    await ada.drop(gone)
    expect((await ada.make('log/activity', { relationships: { quantity: to([gone]) } })).status).toBe(404)
  })

  test('keeps its place in the order that the log names', async () => {
    const amounts = [await amountOf('a'), await amountOf('b'), await amountOf('c')]
    const log = await ada.made('log/activity', {}, { quantity: to(amounts) })
    const back = amounts.map(({ id }) => id).reverse()
    await ada.change(log, { relationships: { quantity: to([...amounts].reverse()) } })
    expect(await quantitiesOf(log)).toEqual(back)
  })

  test('changes how much there is of an asset, once a log that is done has it', async () => {
    const seed = await ada.made('asset/equipment', { name: 'Sacks' })
    const counted = (adjustment: string, value: string) =>
      ada.made(
        'quantity/standard',
        { measure: 'count', value: { decimal: value }, inventory_adjustment: adjustment },
        { inventory_asset: to(seed) },
      )
    const inventory = async () => (await ada.read(seed)).attributes.inventory
    const first = await counted('reset', '10')
    expect(await inventory()).toEqual([])
    await ada.made('log/activity', { timestamp: 1_600_000_000 }, { quantity: to([first]) })
    const less = await ada.made(
      'log/activity',
      { timestamp: 1_600_000_001, status: 'pending' },
      { quantity: to([await counted('decrement', '2.5')]) },
    )
    expect(await inventory()).toEqual([{ measure: 'count', value: '10', units: '' }])
    await ada.change(less, { attributes: { status: 'done' } })
    expect(await inventory()).toEqual([{ measure: 'count', value: '7.5', units: '' }])
  })
})
