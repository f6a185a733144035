import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { removeQuantityIn, updateQuantityIn } from '../../src/records/quantities/writing.ts'
import { undoIn } from '../../src/records/undoing/undo.ts'
import { removeIn } from '../../src/records/writing/remove.ts'
import { restoreIn } from '../../src/records/writing/restore.ts'
import { revertIn } from '../../src/records/writing/revert.ts'
import { earlierMaterialUuid } from '../../src/storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import { engines } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'
import { examined } from '../operation/examined.ts'
import { type FarmOfVerbs, farmOfVerbs, type Said, toId } from './verbs.ts'

describe.each(engines)('quantities on %s', (engine) => {
  let farm: FarmOfVerbs
  let compost: StoredRecord
  let lime: StoredRecord
  let barrow: StoredRecord

  beforeAll(async () => {
    farm = await farmOfVerbs(engine)
    compost = await farm.term('Compost', 'farm_materials')
    lime = await farm.term('Lime', 'farm_materials')
    barrow = await farm.asset('Barrow')
  })

  const sound = async () => expect(await examined(farm.records.database)).toEqual([])
  const change = ({ id }: Pick<StoredRecord, 'id'>, said: Said) =>
    farm.change((work) =>
      updateQuantityIn(work, { id, draftFor: ({ bundle }) => farm.draft({ type: 'quantity', bundle, said }) }),
    )
  const remove = ({ id }: Pick<StoredRecord, 'id'>) => farm.change((work) => removeQuantityIn(work, { id }))
  const removeLog = ({ id }: StoredRecord) => farm.change((work) => removeIn(work, { type: 'log', id }))
  const undo = (set: string) => farm.change((work) => undoIn(work, { set, leave: 'nothing' }))
  const uuidsOf = async (log: StoredRecord) => (await farm.quantitiesOf(log)).map(({ uuid }) => uuid)

  test('one that waits is a record of its own, under the UUID that its writer gave it', async () => {
    const uuid = randomUUID()
    const said = { measure: 'weight', value: '2.50' }
    const made = await farm.create({ type: 'quantity', bundle: 'standard', said, uuid })
    expect(await farm.quantityNow(made)).toMatchObject({
      uuid,
      bundle: 'standard',
      values: said,
      log: null,
      revision: 1,
    })
    expect(await farm.identity(uuid)).toMatchObject({ type: 'quantity', number: made.id, removed: null })
    const { after } = await change(made, { value: '3', measure: undefined })
    expect(after).toMatchObject({ values: { value: '3' }, revision: 2, log: null })
    await sound()
  })

  test('what one that waits names cannot be removed', async () => {
    const kilogram = await farm.term('kg', 'farm_quantity_units')
    await farm.quantity({ value: '1', unit: toId(kilogram.id) })
    const removing = farm.change((work) => removeIn(work, { type: 'term', id: kilogram.id }))
    await expect(removing).rejects.toMatchObject({
      refusal: 'conflict',
      message: expect.stringMatching(/quantity \d+ still refers/),
    })
  })

  test('a log takes over those that it names, in their order, and each keeps number, UUID and author', async () => {
    const first = await farm.quantity({ measure: 'weight', value: '1' })
    const second = await farm.quantity({ label: 'second' })
    const log = await farm.log({}, [second.uuid, first.uuid])
    const quantities = await farm.quantitiesOf(log)
    expect(quantities.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(quantities[1]).toMatchObject({
      uuid: first.uuid,
      values: { measure: 'weight', value: '1' },
      log: log.id,
      revision: log.revision,
    })
    expect(log.values.quantity).toEqual([
      { uuid: second.uuid, label: 'second' },
      { uuid: first.uuid, measure: 'weight', value: '1' },
    ])
    await sound()
  })

  test('one is in one log at most, and what cannot be taken is told where it was named', async () => {
    const taken = await farm.quantity({ value: '1' })
    const gone = await farm.quantity({ value: '2' })
    await remove(gone)
    const { id } = await farm.log({}, [taken.uuid])
    const nobody = randomUUID()
    const second = farm.log({}, [taken.uuid, gone.uuid, nobody])
    await expect(second).rejects.toMatchObject({
      refusal: 'invalid-content',
      details: {
        faults: [
          { field: 'quantity[0]', message: expect.stringContaining(`is in log ${id} already`) },
          { field: 'quantity[1]', message: expect.stringContaining('was removed') },
          { field: 'quantity[2]', message: `there is no quantity with the UUID ${nobody}` },
        ],
      },
    })
  })

  test('a log that lets go of one sends it back to waiting, with what was said of it', async () => {
    const kept = await farm.quantity({ value: '1' })
    const left = await farm.quantity({ value: '2', label: 'left' })
    const log = await farm.log({}, [kept.uuid, left.uuid])
    await farm.update(log, {}, [kept.uuid])
    expect(await uuidsOf(log)).toEqual([kept.uuid])
    expect(await farm.quantityNow(left)).toMatchObject({
      log: null,
      values: { value: '2', label: 'left' },
      revision: 3,
    })
    await farm.update(log, {}, [left.uuid, kept.uuid])
    expect(await uuidsOf(log)).toEqual([left.uuid, kept.uuid])
    await sound()
  })

  test('one that was made inside a log waits, too, once the log lets go of it', async () => {
    const log = await farm.log({ quantity: [{ part: { value: '5' } }] })
    const [own] = await farm.quantitiesOf(log)
    expect(own).toMatchObject({ bundle: 'standard', values: { value: '5' }, log: log.id })
    await farm.update(log, {}, [])
    expect(await farm.quantityNow({ id: own?.id ?? 0 })).toMatchObject({
      log: null,
      uuid: own?.uuid,
      values: { value: '5' },
    })
    expect((await farm.journal('quantity')).at(-1)).toBe(`create ${own?.id} at 1`)
    await sound()
  })

  test('naming what it has changes nothing', async () => {
    const plain = await farm.quantity({ value: '1' })
    const log = await farm.log(
      { inventory: [{ part: { asset: toId(barrow.id), value: '0' } }], material: [toId(compost.id)] },
      undefined,
    )
    const taken = await farm.update(log, {}, [plain.uuid, ...(await uuidsOf(log))])
    expect(await farm.update(taken, {}, await uuidsOf(log))).toMatchObject({ revision: taken.revision })
  })

  describe('an adjustment', () => {
    const adjusting = (said: Said = {}) => ({
      measure: 'count',
      value: '5',
      adjustment: 'increment',
      inventory_asset: toId(barrow.id),
      ...said,
    })

    test('that says no more than a row of the inventory is kept as one, with its sign', async () => {
      const more = await farm.quantity(adjusting())
      const less = await farm.quantity(adjusting({ adjustment: 'decrement', value: '2.50' }))
      const log = await farm.log({}, [more.uuid, less.uuid])
      expect(log.values).toMatchObject({
        inventory: [
          { uuid: more.uuid, asset: barrow.id, value: '5' },
          { uuid: less.uuid, asset: barrow.id, value: '-2.50' },
        ],
      })
      expect(log.values.quantity).toBeUndefined()
      expect((await farm.quantitiesOf(log)).map(({ values }) => values)).toEqual([
        { measure: 'count', value: '5', adjustment: 'increment', inventory_asset: barrow.id },
        { measure: 'count', value: '2.50', adjustment: 'decrement', inventory_asset: barrow.id },
      ])
      await sound()
    })

    test.each([
      ['a label', { label: 'eggs' }],
      ['no value above zero', { value: '0' }],
      ['a value below zero', { value: '-1' }],
      ['another measure', { measure: 'weight' }],
      ['a reset', { adjustment: 'reset' }],
      ['a fraction', { fraction: '1/3' }],
    ])('with %s is kept as a quantity', async (_what, said) => {
      const made = await farm.quantity(adjusting(said))
      const log = await farm.log({}, [made.uuid])
      expect(log.values.inventory).toBeUndefined()
      expect(log.values.quantity).toMatchObject([{ uuid: made.uuid, inventory_asset: barrow.id }])
    })

    test('that is given a label is a quantity from then on, and the same one', async () => {
      const made = await farm.quantity(adjusting())
      const log = await farm.log({}, [made.uuid])
      await change(made, { label: 'eggs' })
      const now = await farm.now(log)
      expect(now?.values.inventory).toBeUndefined()
      expect(now?.values.quantity).toMatchObject([{ uuid: made.uuid, label: 'eggs', adjustment: 'increment' }])
      expect(await farm.quantityNow(made)).toMatchObject({ id: made.id, values: { label: 'eggs' } })
      await sound()
    })

    test('of a log is found by its asset', async () => {
      const made = await farm.quantity(adjusting({ value: '77' }))
      await farm.log({}, [made.uuid])
      const rows = await farm.records.database.read((snapshot) =>
        snapshot
          .selectFrom('reference')
          .innerJoin('path', 'path.id', 'reference.path')
          .select(['source_id', 'field'])
          .where('source_type', '=', 'quantity')
          .where('source_id', '=', made.id)
          .execute(),
      )
      expect(rows).toEqual([{ source_id: made.id, field: 'inventory_asset' }])
    })
  })

  describe('materials', () => {
    test('each that no quantity names is one with nothing else, and known again', async () => {
      const log = await farm.log({ material: [toId(compost.id), toId(lime.id)] })
      const [one, other] = await farm.quantitiesOf(log)
      expect(one).toMatchObject({ bundle: 'material', values: { material_type: [compost.id] }, log: log.id })
      await farm.update(log, { material: [toId(lime.id)] })
      expect(await uuidsOf(log)).toEqual([other?.uuid])
      await farm.update(log, { material: [toId(lime.id), toId(compost.id)] })
      expect((await farm.quantitiesOf(log)).map(({ id, uuid }) => [id, uuid])).toEqual([
        [other?.id, other?.uuid],
        [one?.id, one?.uuid],
      ])
      await sound()
    })

    test('one with the UUID that was made for it in earlier versions keeps it', async () => {
      const log = await farm.log({ material: [toId(compost.id)] })
      const [one] = await farm.quantitiesOf(log)
      expect(one?.uuid).toMatch(/^.{14}4/)
      const uuid = earlierMaterialUuid({ log: log.uuid, term: compost.id, nth: 0 })
      await farm.records.database.write(async (tx) => {
        for (const table of ['quantity', 'identity'] as const)
          await tx
            .updateTable(table)
            .set({ uuid })
            .where('uuid', '=', one?.uuid ?? '')
            .execute()
      })
      await farm.update(log, { material: [toId(lime.id)] })
      await farm.update(log, { material: [toId(compost.id)] })
      expect((await farm.quantitiesOf(log)).map((again) => [again.id, again.uuid])).toEqual([[one?.id, uuid]])
      await sound()
    })

    test('a value given to one makes it a quantity, and deleting it removes the material', async () => {
      const log = await farm.log({ material: [toId(compost.id), toId(lime.id)] })
      const [one] = await farm.quantitiesOf(log)
      const { after } = await change({ id: one?.id ?? 0 }, { value: '4' })
      expect(after).toMatchObject({
        uuid: one?.uuid,
        bundle: 'material',
        values: { value: '4', material_type: [compost.id] },
      })
      const now = await farm.now(log)
      expect(now?.values).toMatchObject({
        material: [compost.id, lime.id],
        quantity: [{ uuid: one?.uuid, type: 'material', value: '4', material_type: [compost.id] }],
      })
      await remove({ id: one?.id ?? 0 })
      expect((await farm.now(log))?.values.material).toEqual([lime.id])
      expect((await farm.now(log))?.values.quantity).toBeUndefined()
      await sound()
    })

    test('a quantity brings its materials along and takes them with it', async () => {
      const made = await farm.quantity({ value: '1', material_type: [toId(compost.id)] }, 'material')
      const log = await farm.log({ material: [toId(lime.id)] })
      const plain = await uuidsOf(log)
      await farm.update(log, {}, [made.uuid, ...plain])
      expect((await farm.now(log))?.values.material).toEqual([lime.id, compost.id])
      expect(await uuidsOf(log)).toEqual([made.uuid, ...plain])
      await change(made, { material_type: [toId(lime.id)] })
      expect((await farm.now(log))?.values.material).toEqual([lime.id])
      expect(await uuidsOf(log)).toEqual([made.uuid])
      await farm.update(log, {}, [])
      expect((await farm.now(log))?.values.material).toBeUndefined()
      expect(await farm.quantityNow(made)).toMatchObject({
        log: null,
        values: { value: '1', material_type: [lime.id] },
      })
      await sound()
    })

    test('a material that its log drops is dropped from its quantities', async () => {
      const made = await farm.quantity({ value: '1', material_type: [toId(compost.id), toId(lime.id)] }, 'material')
      const log = await farm.log({}, [made.uuid])
      await farm.update(log, { material: [toId(lime.id)] })
      expect(await farm.quantityNow(made)).toMatchObject({ values: { value: '1', material_type: [lime.id] } })
      await sound()
    })
  })

  describe('one that a log has', () => {
    test('is changed with its log: one entry, the revision of the log', async () => {
      const made = await farm.quantity({ value: '1' })
      const log = await farm.log({}, [made.uuid])
      const before = await farm.journal('quantity')
      const { after } = await change(made, { value: '9' })
      expect(after).toMatchObject({ values: { value: '9' }, revision: log.revision + 1 })
      expect(await farm.now(log)).toMatchObject({ revision: log.revision + 1, values: { quantity: [{ value: '9' }] } })
      expect(await farm.journal('quantity')).toEqual(before)
      expect((await farm.journal('log')).at(-1)).toBe(`update ${log.id} at ${log.revision + 1}`)
      const stale = farm.change((work) =>
        updateQuantityIn(work, {
          id: made.id,
          seen: [log.revision],
          draftFor: () => farm.draft({ type: 'quantity', bundle: 'standard', said: { value: '1' } }),
        }),
      )
      await expect(stale).rejects.toMatchObject({ refusal: 'precondition-failed' })
      await sound()
    })

    test('is deleted out of its log, and deleted again it is gone already', async () => {
      const made = await farm.quantity({ value: '1' })
      const log = await farm.log({}, [made.uuid])
      await remove(made)
      expect(await farm.quantitiesOf(log)).toEqual([])
      expect(await farm.identity(made.uuid)).toMatchObject({ number: made.id, removed: expect.any(Number) })
      await remove(made)
      await expect(remove({ id: 987_654 })).rejects.toMatchObject({ refusal: 'not-found' })
      await sound()
    })

    test('goes with its log, leaves its UUID, and comes back with it', async () => {
      const made = await farm.quantity({ value: '1' })
      const log = await farm.log({ material: [toId(lime.id)] }, undefined)
      await farm.update(log, {}, [made.uuid, ...(await uuidsOf(log))])
      const before = await farm.quantitiesOf(log)
      await removeLog(log)
      expect(await farm.identity(made.uuid)).toMatchObject({ number: made.id, removed: expect.any(Number) })
      await remove(made)
      await sound()
      await farm.change((work) =>
        restoreIn(work, { records: [{ uuid: log.uuid }], referents: 'refuse', missing: 'refuse' }),
      )
      const after = await farm.quantitiesOf(log)
      expect(after.map(({ id, uuid, values }) => ({ id, uuid, values }))).toEqual(
        before.map(({ id, uuid, values }) => ({ id, uuid, values })),
      )
      expect(await farm.identity(made.uuid)).toMatchObject({ removed: null, ended: null })
      await sound()
    })
  })

  test('what 1.x drops from its list is gone, and what a PUT of the older form keeps stays who it was', async () => {
    const kept = await farm.quantity({ value: '1' })
    const dropped = await farm.quantity({ value: '2' })
    const log = await farm.log({}, [kept.uuid, dropped.uuid])
    await farm.update(log, { quantity: [{ part: { value: '1' } }] })
    expect(await uuidsOf(log)).toEqual([kept.uuid])
    expect(await farm.quantityNow(dropped)).toBeUndefined()
    expect(await farm.identity(dropped.uuid)).toMatchObject({ removed: expect.any(Number), ended: expect.any(Number) })
    await sound()
  })

  test('of several logs that want the same at the same moment one gets it', async () => {
    const made = await farm.quantity({ value: '1' })
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => farm.log({}, [made.uuid])))
    const got = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(got).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ refusal: 'invalid-content' })
    expect(await farm.quantityNow(made)).toMatchObject({ log: got[0]?.id })
    await sound()
  })

  test('a log and its quantities can be removed at the same moment', async () => {
    for (let round = 0; round < rounds({ short: 3, long: 30 }); round += 1) {
      const made = [await farm.quantity({ value: '1' }), await farm.quantity({ value: '2' })]
      const log = await farm.log(
        {},
        made.map(({ uuid }) => uuid),
      )
      await Promise.all([removeLog(log), ...made.map(remove)])
      for (const one of made) expect(await farm.quantityNow(one)).toBeUndefined()
      expect(await farm.now(log)).toBeUndefined()
    }
    await sound()
  })

  test('one that waits lies in the trash when it is deleted, and comes back', async () => {
    const made = await farm.quantity({ value: '1', label: 'back' })
    await remove(made)
    expect(await farm.quantityNow(made)).toBeUndefined()
    await farm.change((work) =>
      restoreIn(work, { records: [{ uuid: made.uuid }], referents: 'refuse', missing: 'refuse' }),
    )
    expect(await farm.quantityNow(made)).toMatchObject({ uuid: made.uuid, values: { label: 'back' }, revision: 3 })
    await sound()
  })

  describe('back to an earlier time', () => {
    const revert = ({ id }: StoredRecord, revision: number) =>
      farm.change((work) => revertIn(work, { type: 'log', id, revision }))

    test('a log that is reverted has its quantities again, and those that waited before wait again', async () => {
      const first = await farm.quantity({ value: '1' })
      const second = await farm.quantity({ value: '2' })
      const log = await farm.log({}, [first.uuid])
      await farm.update(log, {}, [second.uuid])
      await revert(log, 1)
      expect(await uuidsOf(log)).toEqual([first.uuid])
      expect(await farm.quantityNow(second)).toMatchObject({ log: null, values: { value: '2' } })
      await sound()
    })

    test('one that another log has taken since is in the way', async () => {
      const made = await farm.quantity({ value: '1' })
      const log = await farm.log({}, [made.uuid])
      await farm.update(log, {}, [])
      const other = await farm.log({}, [made.uuid])
      await expect(revert(log, 1)).rejects.toMatchObject({
        refusal: 'not-restorable',
        message: expect.stringContaining(`is in log ${other.id}`),
      })
      expect(await uuidsOf(other)).toEqual([made.uuid])
    })

    test('a log whose creation is undone gives back what it took, and done again takes it again', async () => {
      const made = await farm.quantity({ value: '1' })
      const log = await farm.log({ quantity: [{ part: { value: '7' } }] })
      await farm.update(log, {}, [made.uuid])
      await undo(await farm.lastSet())
      expect(await farm.quantityNow(made)).toMatchObject({ log: null, values: { value: '1' } })
      expect(await farm.quantitiesOf(log)).toMatchObject([{ values: { value: '7' } }])
      await sound()
      const taking = await farm.log({}, [made.uuid])
      const creation = await farm.lastSet()
      await undo(creation)
      expect(await farm.now(taking)).toBeUndefined()
      expect(await farm.quantityNow(made)).toMatchObject({ log: null, values: { value: '1' } })
      await sound()
      await undo(await farm.lastSet())
      expect(await uuidsOf(taking)).toEqual([made.uuid])
      await sound()
    })

    test('a removal that is undone brings the log back with its quantities', async () => {
      const made = await farm.quantity({ value: '1' })
      const log = await farm.log({}, [made.uuid])
      await removeLog(log)
      await undo(await farm.lastSet())
      expect((await farm.quantitiesOf(log)).map(({ id, uuid }) => [id, uuid])).toEqual([[made.id, made.uuid]])
      await sound()
    })

    test('one cannot be unmade once a log has taken it', async () => {
      const made = await farm.quantity({ value: '1' })
      const creation = await farm.lastSet()
      await farm.log({}, [made.uuid])
      await expect(undo(creation)).rejects.toMatchObject({ refusal: 'not-undoable' })
    })
  })
})
