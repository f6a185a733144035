import { describe, expect, it } from 'vitest'
import { farmos, withToken } from '../farmos-server/client.ts'
import { engines } from '../harness/databases.ts'
import { emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { differences, filesThatDiffer } from './farmos/same-records.ts'

describe.each(engines)('a farmOS 1.x that moves into a farm on %s', (engine) => {
  it('is the same over the wire of both, in every field of every record and every byte of its files', async () => {
    const [server, place] = [await farmos(openHillFarm()), await emptyFarm(engine)]
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).toBe(0)
    const farm = await opened(place)
    expect(await differences(await withToken(server), farm.client)).toEqual([])
    expect(await filesThatDiffer(server, farm.client)).toEqual([])
    await farm.close()
  })

  it('does not move in while that farm is served', async () => {
    const place = await emptyFarm(engine)
    const farm = await opened(place)
    const outcome = await moveIn(await farmos(openHillFarm()), place)
    expect(outcome.code, said(outcome)).toBe(1)
    expect((await farm.client.read('/log.json')).list).toEqual([])
    await farm.close()
  })
})
