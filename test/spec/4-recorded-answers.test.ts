import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { engineUnderTest } from '../harness/databases.ts'
import { farms } from '../recorded/groups.ts'
import { openRecordedFarm } from '../recorded/recorded-farm.ts'
import { type Recorded, record, recordedOf, recordingOf } from '../recorded/recording.ts'
import { lineOf } from '../recorded/request.ts'

const answers = new Map<string, readonly Recorded[]>()

/** All of them, in their order: later ones are about what earlier ones have written. */
beforeAll(async () => {
  for (const groups of farms) {
    const farm = await openRecordedFarm()
    for (const { name, at, before = [], requests } of groups) {
      farm.setClock(at)
      if (before.length > 0) await farm.write(before)
      const recorded: Recorded[] = []
      for (const request of requests) recorded.push(recordedOf(request, await farm.answerTo(request)))
      answers.set(name, recorded)
      if (process.env.RECORD_ANSWERS === '1' && engineUnderTest() === 'sqlite') record(name, recorded)
    }
  }
})

describe.each(farms.flat())('4 answers are as they were recorded: $name', ({ name, requests, outcome }) => {
  let recording: readonly Recorded[]

  beforeAll(() => {
    recording = recordingOf(name)
  })

  it('every request was recorded', () => {
    expect(recording.map(({ request }) => request)).toEqual(requests.map(lineOf))
  })

  it(`and was ${outcome}`, () => {
    const others = recording.filter(({ status }) => status >= 400 !== (outcome === 'refused'))
    expect(others).toEqual([])
  })

  it.each(requests.map((request, place) => [lineOf(request), place] as const))(
    'answers as recorded: %s',
    (_line, place) => {
      expect(answers.get(name)?.[place]).toEqual(recording[place])
      // The members of a document, too, stand in their order.
      expect(JSON.stringify(answers.get(name)?.[place])).toBe(JSON.stringify(recording[place]))
    },
  )
})

/** Of the recording that was made before sales, purchases, withholding and registers. */
const farmInfoBefore = 'cfad887e59033be02fbff2f6259deda6060ec21dd8b00ac75caf85c348673f59'

it('4 /farm.json of a farm without sales, withholding and registers is byte for byte what it was before them', () => {
  const isInfo = ({ request }: Recorded) => request === 'ada: GET /farm.json'
  for (const all of [recordingOf('records'), answers.get('records') ?? []]) {
    const sum = createHash('sha256').update(JSON.stringify(all.find(isInfo)))
    expect(sum.digest('hex')).toBe(farmInfoBefore)
  }
})
