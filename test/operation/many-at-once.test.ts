import { describe, expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'

const writers = 400
const readers = 60

const log = { name: 'Weeding', type: 'farm_activity', timestamp: 1_600_000_000 }

interface ServerAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface FeedEntry {
  readonly type: string
  readonly version: string
}

/** A busy machine may refuse some after 30 seconds; it must say why, and when to come again. */
function expectDoneOrBusy({ status, headers, text }: ServerAnswer): void {
  if (status === 200 || status === 201) return
  expect([status, text]).toEqual([503, expect.stringContaining('busy')])
  expect(text).not.toContain('cannot be reached')
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
}

describe.each(['sqlite', 'postgres'] as const)('400 writers at once on %s', (engine) => {
  test.each([
    ['one record', 'PUT'],
    ['many records', 'POST'],
  ] as const)(
    'all change %s, with readers beside them, or hear that the farm is busy',
    async (_, method) => {
      const farm = await openFarm({ engine })
      const worker = await farm.login('worker')
      const id = await worker.create('log', log)
      const write = (nth: number) =>
        method === 'PUT' ? worker.put(`/log/${id}`, { notes: `Row ${nth}` }) : worker.post('/log', log)
      const written = Promise.all(Array.from({ length: writers }, (_, nth) => write(nth)))
      const read = Promise.all(Array.from({ length: readers }, () => worker.get(`/log/${id}.json`)))
      const answers = [...(await written), ...(await read)]
      for (const answer of answers) expectDoneOrBusy(answer)
      const acknowledged = (await written).filter(({ status }) => status < 300).length
      const { body } = await worker.get('/changes?since=0&limit=1000&records=0')
      const logs: readonly FeedEntry[] = body.changes.filter(({ type }: FeedEntry) => type === 'log')
      const done = method === 'PUT' ? Number.parseInt(logs[0]?.version ?? '', 10) : logs.length
      expect(done).toBe(acknowledged + 1)
    },
    180_000,
  )
})
