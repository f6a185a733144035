import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { areaWords } from './both-doors/area-facts.ts'
import { type BundleModel, bundles } from './both-doors/bundles.ts'
import { cataloguedFields, cataloguedWords, modelledFields } from './both-doors/catalogue.ts'
import { doors } from './both-doors/fact.ts'
import { one } from './both-doors/kinds.ts'
import { statuses } from './both-doors/log-facts.ts'
import { adjustments, keptOfQuantities, newerMeasures } from './both-doors/quantity.ts'
import { QuantityStory } from './both-doors/quantity-story.ts'
import { Story } from './both-doors/story.ts'
import { type StoryFarm, storyFarmOf } from './both-doors/story-farm.ts'
import { tagTypes } from './both-doors/tags.ts'

/** Tokens are good for some minutes. */
const noon = 1_700_000_000

let storyFarm: StoryFarm

beforeAll(async () => {
  const farm = await openFarm()
  farm.setClock(noon)
  storyFarm = await storyFarmOf(farm)
})

describe('the model of these stories', () => {
  test('knows every type of the catalogue, and every field that somebody may write', () => {
    expect({ ...modelledFields(bundles), ...keptOfQuantities }).toEqual(cataloguedFields())
  })

  test('knows every word of the catalogue', () => {
    expect(cataloguedWords()).toEqual({
      area_types: areaWords.toSorted(),
      asset_statuses: ['active', 'archived'],
      flags: ['monitor', 'priority', 'review'],
      inventory_adjustments: adjustments.toSorted(),
      lab_test_types: ['soil', 'tissue', 'water'],
      log_statuses: statuses.toSorted(),
      measures: newerMeasures.toSorted(),
      sexes: ['F', 'M'],
      tag_types: Object.keys(tagTypes).toSorted(),
      withheld_products: ['all', 'eggs', 'entry', 'grazing', 'harvest', 'honey', 'meat', 'milk'],
    })
  })
})

/** The same stories each time in the short run, others in each long one. */
const runs = rounds({ short: { numRuns: 1, seed: 20 }, long: { numRuns: 25, seed: Date.now() } })
const changes = rounds({ short: 2, long: 4 })

async function alternate(bundle: BundleModel, focus?: readonly string[]): Promise<void> {
  const alternations = fc.asyncProperty(fc.gen(), async (draw) => {
    storyFarm.farm.setClock(noon)
    const story = new Story(storyFarm, draw, focus)
    const record = await story.make(bundle)
    for (let step = 0; step < changes; step += 1) {
      await story.change(record)
      for (const door of doors) await story.echo(record, door)
    }
    await story.remove(record)
  })
  await fc.assert(alternations, { ...runs, endOnFailure: true })
}

describe.each(shareOfThisEngine(bundles))('records of $family $older, $newer in the newer generation', (bundle) => {
  test('read right through both doors, whichever wrote last', () => alternate(bundle))
})

/** What is more than one field under two names. */
const joined = bundles.flatMap((bundle) =>
  bundle.facts.filter(({ keptIn }) => keptIn.length > 1).map(({ name }) => ({ bundle, name })),
)

test.each(shareOfThisEngine(joined))(
  '$name of $bundle.older is kept whole by writes through either door',
  ({ bundle, name }) => alternate(bundle, [name]),
)

/** Things and the logs that refer to them. */
const met = [
  'farm_crops',
  'farm_log_categories',
  'animal',
  'planting',
  'equipment',
  'farm_birth',
  'farm_seeding',
  'farm_harvest',
]

test('things are called by their present names, and stay as long as a log refers to them', async () => {
  const several = bundles.filter(({ older }) => met.includes(older))
  const stories = fc.asyncProperty(fc.gen(), async (draw) => {
    storyFarm.farm.setClock(noon)
    const story = new Story(storyFarm, draw, ['name', 'place', 'log_category', 'equipment', 'mother'])
    for (const bundle of several) await story.make(bundle)
    for (let step = 0; step < 10; step += 1) {
      const record = one(draw, story.records)
      await one(draw, [
        () => story.change(record),
        () => story.change(record),
        () => story.echo(record),
        () => story.remove(record),
      ])()
      if (story.records.length < several.length) await story.make(one(draw, several))
    }
  })
  await fc.assert(stories, { ...runs, endOnFailure: true })
})

test('quantities are the same through both doors, while they wait, are taken, let go, changed and removed', async () => {
  const stories = fc.asyncProperty(fc.gen(), async (draw) => {
    storyFarm.farm.setClock(noon)
    const story = new QuantityStory(storyFarm, draw)
    for (let step = 0; step < 12; step += 1) await story.anyStep()
  })
  await fc.assert(stories, { ...runs, endOnFailure: true })
})
