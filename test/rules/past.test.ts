import * as fc from 'fast-check'
import { describe, test } from 'vitest'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { moments, story } from './story.ts'
import { ToldFarm } from './told-farm.ts'

const middle = 1_700_000_000
/** Some of the logs of every story lie in the future of it. */
const now = middle + 15

const stories = rounds({ short: { sqlite: 4, postgres: 2 }, long: { sqlite: 30, postgres: 10 } })

describe.each(engines)('the past on %s', (engine) => {
  test('is what a replay of all logs works out that is cut there, however late they were written', async () => {
    const farm = await openFarm({ engine })
    farm.setClock(now)
    const client = await farm.login()
    const oneStory = fc.asyncProperty(story, fc.constantFrom(...moments), async (steps, moment) => {
      const told = new ToldFarm(client, middle)
      await told.begin()
      for (const step of steps) await told.tell(step)
      for (const second of new Set([middle - 100, middle + moment - 1, middle + moment, now])) {
        if (second <= now) await told.compareAsOf(second)
      }
      await told.compareStays(now)
      for (const second of new Set([Math.min(middle + moment, now), now])) await told.compareBecause(second)
    })
    await fc.assert(oneStory, { numRuns: stories[engine], interruptAfterTimeLimit: 90_000 })
  }, 180_000)
})
