import * as fc from 'fast-check'
import { describe, test } from 'vitest'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { moments, type Step, story } from './story.ts'
import { ToldFarm } from './told-farm.ts'

const middle = 1_700_000_000

/** Stories of which the same steps come out whoever is first: every log is recorded by one writer and left alone by the others. */
const recordings = fc.sample(
  story.map((steps) => steps.filter((step): step is Step & { does: 'record' } => step.does === 'record')),
  { numRuns: 12, seed: 20 },
)

describe.each(engines)('timelines that many write at once on %s', (engine) => {
  test('are what a replay works out, also after all those logs were edited at once', async () => {
    const farm = await openFarm({ engine })
    farm.setClock(middle)
    const told = new ToldFarm(await farm.login(), middle)
    await told.begin()
    const steps = recordings.flat().slice(0, rounds({ short: 20, long: 60 }))
    await Promise.all(steps.map((step) => told.tell(step)))
    const edits = steps.map(
      (_, which): Step => ({ does: 'edit', which, change: { done: which % 3 > 0, moment: moments[which % 8] ?? 0 } }),
    )
    await Promise.all(edits.map((step) => told.tell(step)))
    for (const now of moments.map((moment) => middle + moment)) {
      farm.setClock(now)
      await told.compareAt(now)
    }
  })
})
