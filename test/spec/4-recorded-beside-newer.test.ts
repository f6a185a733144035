import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import { groups } from '../recorded/groups.ts'
import { hideSomethingEverywhere, keptRecords } from '../recorded/hidden-values.ts'
import { openRecordedFarm } from '../recorded/recorded-farm.ts'
import { type Recorded, recordedOf, recordingOf } from '../recorded/recording.ts'
import { get, lineOf, put } from '../recorded/request.ts'
import { resourceOf } from '../records/interface-types.ts'

const written = groups.filter(({ name }) => name === 'making' || name === 'changes')
const asked = groups.filter((group) => !written.includes(group))

const answers = new Map<string, readonly Recorded[]>()
let recorded: Awaited<ReturnType<typeof openRecordedFarm>>
let kept: readonly StoredRecord[]

beforeAll(async () => {
  recorded = await openRecordedFarm()
  for (const { at, requests } of written) {
    recorded.setClock(at)
    for (const request of requests) await recorded.answerTo(request)
  }
  await hideSomethingEverywhere(recorded.farm)
  kept = await keptRecords(recorded.farm)
  for (const { name, at, requests } of asked) {
    recorded.setClock(at)
    const told: Recorded[] = []
    for (const request of requests) told.push(recordedOf(request, await recorded.answerTo(request)))
    answers.set(name, told)
  }
})

describe.each(asked)('4 answers are as they were recorded, whatever the newer generation keeps: $name', (group) => {
  const recording = recordingOf(group.name)

  it.each(group.requests.map((request, place) => [lineOf(request), place] as const))(
    'answers as recorded: %s',
    (_line, place) => {
      expect(JSON.stringify(answers.get(group.name)?.[place])).toBe(JSON.stringify(recording[place]))
    },
  )
})

describe('4 a change keeps whatever the newer generation keeps', () => {
  it('there is something hidden in every record', () => {
    expect(kept.length).toBeGreaterThan(50)
    for (const { values } of kept) expect(JSON.stringify(values)).toContain('hidden')
  })

  it('when what was read is written back, which changes nothing', async () => {
    for (const { type, id } of kept) {
      const path = `/${resourceOf[type as 'log']}/${id}`
      const { body } = await recorded.answerTo(get(`${path}.json`))
      const answer = await recorded.answerTo(put(path, body))
      expect(answer, answer.text).toMatchObject({ status: 200 })
    }
    expect(await keptRecords(recorded.farm)).toEqual(kept)
  })

  it('when a record is renamed', async () => {
    for (const { type, id } of kept) {
      const answer = await recorded.answerTo(put(`/${resourceOf[type as 'log']}/${id}`, { name: `Renamed ${id}` }))
      expect(answer, answer.text).toMatchObject({ status: 200 })
    }
    const renamed = await keptRecords(recorded.farm)
    for (const [place, { values }] of kept.entries()) {
      // What belongs to one revision goes with it.
      const { revision_log_message: _, ...lasting } = values
      expect(renamed[place]?.values).toEqual({ ...lasting, name: `Renamed ${kept[place]?.id}` })
    }
  })
})
