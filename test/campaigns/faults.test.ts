import { expect, it } from 'vitest'
import { rounds } from '../harness/rounds.ts'
import { slice } from './slice.ts'

it('a killed server has lost nothing that it acknowledged, and written nothing by half', async () => {
  const kills = rounds({ short: 1, long: 20 })
  const { code, text } = await slice('faults', '--only', 'kill', '--rounds', `${kills}`, '--seed', '11')
  expect(text).toMatch(new RegExp(`^faults: kills ${kills}, acknowledged \\d+, .*violations 0`, 'm'))
  expect(code, text).toBe(0)
})

it('every acknowledged write was synced before, on the third start of the same folder', async () => {
  const { code, text } = await slice('faults', '--only', 'syncs', '--seed', '12')
  expect(text).toMatch(/^faults: syncs\/writes (\d+\/50|not counted), violations 0/m)
  expect(code, text).toBe(0)
})
