import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { examined } from '../operation/examined.ts'
import { newerStory } from './newer-story.ts'
import { NewerToldFarm } from './newer-told-farm.ts'
import { moments } from './story.ts'

const middle = 1_700_000_000

/** The same stories each time in the short run, others in each long one. */
const seed = rounds({ short: 4, long: Date.now() })

const stories = rounds({ short: { sqlite: 10, postgres: 3 }, long: { sqlite: 100, postgres: 30 } })

describe.each(engines)('what the logs imply in the newer generation on %s', (engine) => {
  test('is what a replay works out: areas that move, assets as places, groups followed, empty movements, resets, what is fixed', async () => {
    const farm = await openFarm({ engine })
    farm.setClock(middle + 100)
    const client = await farm.login()
    const oneStory = fc.asyncProperty(newerStory, fc.constantFrom(...moments), async (steps, moment) => {
      const told = new NewerToldFarm(farm, middle)
      await told.begin()
      for (const step of steps) await told.tell(step)
      for (const at of [-100, ...moments, 100]) await told.compareAt(middle + at)
      for (const second of [middle + moment, middle + 100]) await told.compareOlder(client, second)
    })
    await fc.assert(oneStory, { numRuns: stories[engine], seed, interruptAfterTimeLimit: 90_000 })
    const found = await examined(farm.installation.database)
    // Logs that were written late may have made circles of the past.
    expect(found.filter((finding) => !finding.includes(' is inside itself from '))).toEqual([])
  }, 180_000)
})
