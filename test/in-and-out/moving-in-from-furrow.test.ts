import { expect, it } from 'vitest'
import { furrow } from '../cli/built-furrow.ts'
import type { Json } from '../harness/client.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { at, served } from './moving-in.ts'

const engine = engineUnderTest()

const photo = `data:image/png;base64,${Buffer.from('not really a photo').toString('base64')}`

it('a Furrow moves in as a farmOS does, with its UUIDs and its texts to the letter', async () => {
  const there = await openFarm()
  const writer = await there.login()
  const area = await writer.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas', area_type: 'field' })
  const hen = await writer.create('farm_asset', { name: 'Hen', type: 'animal', animal_type: { name: 'Chicken' } })
  for (let nth = 0; nth < rounds({ short: 120, long: 250 }); nth += 1) {
    await writer.create('log', {
      name: `Log ${nth}`,
      type: 'farm_activity',
      timestamp: 1_600_000_000 + nth,
      done: true,
      asset: [{ id: hen }],
      movement: { area: [{ id: area }] },
      notes: `<p>Kept &amp; untouched ${nth}</p>\n`,
      quantity: [{ measure: 'weight', value: '1.50', unit: { name: 'kg' }, label: 'eggs' }],
      ...(nth === 7 ? { images: [photo] } : {}),
    })
  }
  const place = await emptyPlace(engine)
  const words = ['import', 'farmos', there.base, '--user', writer.login.name, '--password-stdin', ...at(place)]
  const outcome = await furrow(words, { input: writer.login.password })
  expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ code: 0 })
  const { farm, client } = await served(place)
  for (const path of ['/log.json', '/farm_asset.json', '/taxonomy_term.json']) {
    const query = `${path}?limit=1000&sort=id&with=uuid`
    const [theirs, ours] = await Promise.all([writer.get(query), client.get(query)])
    expect(inOneName(ours.body.list, farm.base)).toEqual(inOneName(theirs.body.list, there.base))
  }
  const doctor = await furrow(['doctor', ...at(place)])
  expect(doctor.stdout).toBe('Everything is as it should be.\n')
})

const inOneName = (list: Json, base: string): Json => JSON.parse(JSON.stringify(list).replaceAll(base, ''))
