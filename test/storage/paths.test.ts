import { beforeAll, describe, expect, test } from 'vitest'
import type { Farm } from '../../src/farm/farm.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Fields } from '../../src/fields/field.ts'
import { pathsOf } from '../../src/records/record-index.ts'
import type { Snapshot } from '../../src/storage/database.ts'
import { CannotOpen, type StoragePlace } from '../../src/storage/disk/cannot-open.ts'
import { pathNumber, toValue } from '../../src/storage/records/path.ts'
import type { Client } from '../harness/client.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { examined } from '../operation/examined.ts'
import { png } from '../records/sample-files.ts'

const toNotes = toValue('log', 'notes')

describe.each(engines)('paths on %s', (engine) => {
  let farm: FarmUnderTest
  let client: Client

  beforeAll(async () => {
    farm = await openFarm({ engine })
    client = await farm.login('manager')
  })

  const log = (fields: object) =>
    client.create('log', { name: 'Weighed', type: 'farm_activity', timestamp: 1, done: 1, ...fields })
  const labelled = (...labels: string[]) => ({ quantity: labels.map((label) => ({ label })) })
  const foundBy = async (label: string): Promise<string[]> => {
    const { list } = await client.read(`/log.json?quantity[label]=${encodeURIComponent(label)}`)
    return list.map(({ id }: { id: string }) => id)
  }
  const inRows = <T>(work: (snapshot: Snapshot) => Promise<T>) => farm.installation.database.read(work)

  test('are noted at the start, each under the number of its words', async () => {
    const noted = await inRows((snapshot) => snapshot.selectFrom('path').selectAll().orderBy('id').execute())
    expect(noted.map(({ id, ...path }) => [id, pathNumber(path)])).toEqual(noted.map(({ id }) => [id, id]))
    expect(noted.map(({ id }) => id)).toEqual([...new Set(pathsOf(stockFarm).map(pathNumber))].sort((a, b) => a - b))
  })

  test('tell values apart that begin alike, also after changes', async () => {
    const beginning = 'a label that goes on and on '.repeat(6)
    const [barley, rye, oats] = [`${beginning}barley`, `${beginning}rye`, `${beginning}oats`]
    const one = await log(labelled(barley, rye, barley))
    const other = await log(labelled(oats, beginning.slice(0, 120), beginning.trim()))
    expect([await foundBy(barley), await foundBy(rye), await foundBy(oats)]).toEqual([[one], [one], [other]])
    await client.put(`/log/${one}`, labelled(oats, rye))
    expect([await foundBy(barley), await foundBy(rye), await foundBy(oats)]).toEqual([[], [one], [one, other]])
    await client.put(`/log/${other}`, labelled(rye))
    expect([await foundBy(rye), await foundBy(oats)]).toEqual([[one, other], [one]])
    expect(await examined(farm.installation.database)).toEqual([])
  })

  test('are entered anew where much of a record has changed', async () => {
    const labels = (word: string) => labelled(...Array.from({ length: 12 }, (_, n) => `${word} ${n}`))
    const id = await log({ ...labels('sack'), notes: 'Brought in' })
    await client.put(`/log/${id}`, labels('crate'))
    expect([await foundBy('sack 11'), await foundBy('crate 11')]).toEqual([[], [id]])
    expect(await examined(farm.installation.database)).toEqual([])
  })

  test('that are lost or wrong are right again once their value changes', async () => {
    const id = await log({ ...labelled('lost', 'kept'), notes: 'Still here' })
    await farm.installation.database.write((tx) =>
      tx
        .updateTable('facet')
        .set({ key: 'found' })
        .where('record_id', '=', Number(id))
        .where('key', '=', 'lost')
        .execute(),
    )
    expect(await foundBy('lost')).toEqual([])
    await client.put(`/log/${id}`, labelled('found', 'kept'))
    expect([await foundBy('lost'), await foundBy('found'), await foundBy('kept')]).toEqual([[], [id], [id]])
    expect(await examined(farm.installation.database)).toEqual([])
  })
})

describe.each(engines)('paths of a module on %s', (engine) => {
  const activity = { name: 'Graded', type: 'farm_activity', timestamp: 1, done: 1 }
  const having = (fields: Fields) => kit.withLogFields(stockFarm, fields, ['farm_activity'])

  /** Opens the farm of a place with other modules, and closes it again. */
  async function among<T>(
    place: StoragePlace,
    modules: Farm,
    work: (client: Client, opened: FarmUnderTest) => Promise<T>,
  ) {
    const opened = await openFarm({ place, farm: modules })
    const result = await work(await opened.login('manager'), opened)
    await opened.close()
    return result
  }
  const filesIn = ({ installation }: FarmUnderTest) =>
    installation.database.read((snapshot) => snapshot.selectFrom('file').select('id').execute())

  test('whose field is of another kind now are entered as that kind, and back', async () => {
    const place = await emptyPlace(engine)
    const [text, decimal] = [having({ grade: kit.text('Grade') }), having({ grade: kit.decimal('Grade') })]
    const found = async (client: Client, asked: string) =>
      (await client.read(`/log.json?grade=${asked}`)).list.map(({ grade }: { grade: string }) => grade)
    const id = await among(place, text, (client) => client.create('log', { ...activity, grade: '12' }))
    await among(place, decimal, async (client) => {
      expect((await client.put(`/log/${id}`, { grade: '13' })).status).toBe(200)
      expect([await found(client, '12'), await found(client, '13')]).toEqual([[], ['13']])
    })
    await among(place, text, async (client) => {
      expect((await client.put(`/log/${id}`, { grade: '12' })).status).toBe(200)
      expect([await found(client, '12'), await found(client, '13')]).toEqual([['12'], []])
    })
  })

  test('that is not installed stay with what they lead to while a record is changed, and go with it', async () => {
    const place = await emptyPlace(engine)
    const scanning = having({ scan: kit.attachments('Scan', 'image') })
    const id = await among(place, scanning, (client) => client.create('log', { ...activity, scan: [png()] }))
    await among(place, stockFarm, async (client, opened) => {
      expect((await client.put(`/log/${id}`, { notes: 'Without the scanner' })).status).toBe(200)
      expect(await filesIn(opened)).toHaveLength(1)
    })
    await among(place, scanning, async (client, opened) => {
      expect((await client.read(`/log/${id}.json`)).scan).toHaveLength(1)
      expect(await examined(opened.installation.database, scanning)).toEqual([])
    })
    await among(place, stockFarm, async (client, opened) => {
      expect((await client.delete(`/log/${id}`)).status).toBe(200)
      const [{ uuid }] = (await client.read('/trash.json')).list
      const restored = await client.send('POST', `/trash/${uuid}/restore`)
      expect([restored.status, restored.body.detail]).toEqual([
        409,
        expect.stringContaining('Install the module first'),
      ])
      expect(await examined(opened.installation.database)).toEqual([])
      expect((await client.delete('/trash')).body).toEqual({ ended: 1 })
      expect(await filesIn(opened)).toEqual([])
      expect(await examined(opened.installation.database)).toEqual([])
    })
  })

  test('that would share a number with another keep the farm closed, and both are named', async () => {
    const place = await emptyPlace(engine)
    await among(place, having({ field_31629: kit.text('One') }), async () => {})
    const opening = openFarm({ place, farm: having({ field_47885: kit.text('Other') }) })
    await expect(opening).rejects.toThrow(CannotOpen)
    await expect(opening).rejects.toThrow(
      'The field field_47885 of log would be looked up under the number of field_31629 of log. Give it another name',
    )
  })

  test('whose words are damaged keep the farm closed, and the doctor is named', async () => {
    const place = await emptyPlace(engine)
    await among(place, stockFarm, (_, { installation }) =>
      installation.database.write((tx) =>
        tx.updateTable('path').set({ field: 'moon' }).where('id', '=', toNotes).execute(),
      ),
    )
    await expect(openFarm({ place })).rejects.toThrow(
      `The farm notes ${toNotes} as moon of log, though it stands for notes of log. Ask \`furrow doctor\``,
    )
  })
})
