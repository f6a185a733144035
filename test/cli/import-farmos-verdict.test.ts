import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { farmos } from '../farmos-server/client.ts'
import { withAccidents } from '../farmos-server/farms/accidents.ts'
import { addFile, addLog } from '../farmos-server/farms/adding.ts'
import { emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { filesThatDiffer } from './farmos/same-records.ts'

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

describe('files of a farm that has moved in', () => {
  it('are equal only where this farm sends them, whatever they are called', async () => {
    const source = openHillFarm()
    const names = ['日本語.png', 'Łódź.png', '5€ – it’s.txt', 'Gru\u0308ße.txt', 'a"b\\c;d.txt']
    const files = names.map((name) => ({ file: addFile(source, name, { place: 'public' }) }))
    addLog(source, 'With names of all kinds', { bundle: 'farm_observation', values: { files } })
    const [server, place] = [await farmos(source), await emptyFarm()]
    const outcome = await moveIn(server, place)
    const farm = await opened(place)
    const unsent = await filesThatDiffer(server, farm.client)
    await farm.close()
    expect(outcome.code === 0, said(outcome)).toBe(unsent.length === 0)
    for (const name of unsent) expect(outcome.stdout).toContain(`(${name}) is here, but`)
  })

  it('are fetched: bytes that were damaged here are told', async () => {
    const [server, place] = [await farmos(openHillFarm()), await emptyFarm()]
    expect(await moveIn(server, place)).toMatchObject({ code: 0 })
    const farm = new DatabaseSync(join(place.data, 'farm.sqlite'))
    farm.exec('update blob_chunk set bytes = zeroblob(length(bytes)) where position = 0')
    farm.close()
    const outcome = await moveIn(server, place, ['--verify-only'])
    expect(outcome.code, said(outcome)).toBe(1)
    expect(outcome.stdout).toMatch(/file \d+ \(.*\) is here, but other bytes are sent/)
  })
})
