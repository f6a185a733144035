import { expect, it } from 'vitest'
import { openFarm } from '../harness/farm.ts'

it('9 the info record carries the version 1.3 for every client to compare', async () => {
  const farm = await openFarm()
  for (const role of ['manager', 'viewer', null] as const) {
    expect((await (await farm.login(role)).read('/farm.json')).api_version).toBe('1.3')
  }
  expect((await (await farm.login('manager', 'farm_info')).read('/farm.json')).api_version).toBe('1.3')
})
