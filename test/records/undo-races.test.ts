import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Client } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { examined } from '../operation/examined.ts'

const races = rounds({ short: 6, long: 60 })

describe.each(engines)('on %s, an undoing beside others', (engine) => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm({ engine })
    worker = await farm.login('worker')
  })

  const log = (more: object = {}) => ({ name: 'One', type: 'farm_activity', timestamp: 1, ...more })
  const setOf = (answer: Answer) => answer.headers.get('change-set') ?? ''
  const undo = (set: string) => worker.send('POST', `/changes/${set}/undo`)

  test('is refused by a change of the same record, or that change comes after it', async () => {
    for (let round = 0; round < races; round += 1) {
      const id = await worker.create('log', log())
      const set = setOf(await worker.put(`/log/${id}`, { name: 'Two' }))
      const race = [() => undo(set), () => worker.put(`/log/${id}`, { name: 'Three' })]
      const answers = await Promise.all((round % 2 ? race : race.toReversed()).map((run) => run()))
      const [undone, changed] = round % 2 ? answers : answers.toReversed()
      expect(changed?.status).toBe(200)
      expect([200, 409]).toContain(undone?.status)
      expect((await worker.read(`/log/${id}.json`)).name).toBe('Three')
      const { revisions } = await worker.read(`/log/${id}/history.json`)
      expect(revisions[0].fields.name).toEqual({ before: undone?.status === 200 ? 'One' : 'Two', after: 'Three' })
    }
  })

  test('never takes away what another has come to refer to', async () => {
    for (let round = 0; round < races; round += 1) {
      const made = await worker.post('/farm_asset', { name: 'Cart', type: 'equipment' })
      const [undone, referring] = await Promise.all([
        undo(setOf(made)),
        worker.post('/log', log({ asset: [{ id: made.body.id }] })),
      ])
      expect([
        [200, 422],
        [409, 201],
      ]).toContainEqual([undone.status, referring.status])
    }
  })

  test('happens once, however often it is asked for at once', async () => {
    for (let round = 0; round < races; round += 1) {
      const made = await worker.post('/log', log({ log_category: [{ name: `Word ${round}` }] }))
      const answers = await Promise.all([1, 2, 3].map(() => undo(setOf(made))))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    }
  })

  test('leaves nothing for the doctor', async () => {
    expect(await examined(farm.installation.database)).toEqual([])
  })
})
