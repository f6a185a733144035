import { expect, it } from 'vitest'
import { farmos } from '../farmos-server/client.ts'
import { withAccidents } from '../farmos-server/farms/accidents.ts'
import { emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'

it('--verify-only ends with 0 while both sides are equal, and with 3 and the field that was changed here', async () => {
  const [server, place] = [await farmos(openHillFarm()), await emptyFarm()]
  for (const args of [[], ['--verify-only'], ['--verify-only']]) {
    const equal = await moveIn(server, place, args)
    expect(equal.code, said(equal)).toBe(0)
  }
  const farm = await opened(place)
  const { list } = await farm.client.read('/log.json?name=Vaccination')
  await farm.client.put(`/log/${list[0].id}`, { vet: 'Dr. No' })
  await farm.close()
  const outcome = await moveIn(server, place, ['--verify-only'])
  expect(outcome.code, said(outcome)).toBe(3)
  expect(said(outcome)).toMatch(new RegExp(`log ${list[0].id}\\b.*vet.*Dr\\. No`))
})

it('an asset that is elsewhere by the rule of this farm is told: the verdict is changed', async () => {
  const source = openHillFarm()
  withAccidents(source, ['movementWithoutArea'])
  const calf = source.assets.findLast(({ bundle }) => bundle === 'animal')?.id
  const outcome = await moveIn(await farmos(source), await emptyFarm())
  expect(outcome.code, said(outcome)).toBe(3)
  expect(said(outcome)).toContain(`asset ${calf}, location`)
})
