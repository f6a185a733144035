import * as fc from 'fast-check'
import { describe, test } from 'vitest'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { moments, story } from './story.ts'
import { ToldFarm } from './told-farm.ts'

/** The middle of every story; far enough from the tokens' end that the clock may go back and forth. */
const middle = 1_700_000_000

/** A slow machine tells fewer stories; one that fails is made short within the same time. */
const stories = rounds({ short: { sqlite: 4, postgres: 2 }, long: { sqlite: 30, postgres: 10 } })

describe.each(engines)('what the logs imply on %s', (engine) => {
  test('is what a replay of all logs works out, whatever the order they were written in and whenever it is asked', async () => {
    const farm = await openFarm({ engine })
    farm.setClock(middle)
    const client = await farm.login()
    const oneStory = fc.asyncProperty(story, fc.constantFrom(...moments), async (steps, moment) => {
      farm.setClock(middle)
      const told = new ToldFarm(client, middle)
      await told.begin()
      for (const step of steps) await told.tell(step)
      for (const now of new Set([middle - 100, middle + moment - 1, middle + moment, middle + 100])) {
        farm.setClock(now)
        await told.compareAt(now)
      }
    })
    await fc.assert(oneStory, { numRuns: stories[engine], interruptAfterTimeLimit: 90_000 })
  }, 180_000)
})
