import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { farmos, withToken } from '../farmos-server/client.ts'
import { withBeehives } from '../farmos-server/farms/beehives.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { serve } from './built-furrow.ts'
import { emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { differences } from './farmos/same-records.ts'

function farmWithBees() {
  const farm = openHillFarm()
  return { farm, ...withBeehives(farm) }
}

describe.each(atLeastOn('postgres'))('a module that is written from the other server, on %s', (engine) => {
  it('takes in what it describes, says what it has guessed, and keeps fractions', async () => {
    const { farm, hive, inspections } = farmWithBees()
    const server = await farmos(farm)
    const place = await emptyFarm(engine)
    const module = join(place.data, 'bees.mjs')
    const written = await moveIn(server, place, ['--write-module', module])
    expect(written.code, said(written)).toBe(0)
    const text = readFileSync(module, 'utf8')
    expect(written.stdout).toContain(text)
    expect(written.stdout).toContain(`--resume --module ${module}`)
    const outcome = await moveIn(server, place, ['--resume', '--module', module])
    expect([0, 3], said(outcome)).toContain(outcome.code)
    for (const word of ['beehive', 'farm_hive_kinds', 'calm', 'nervous', 'blue', 'guess']) expect(text).toContain(word)
    const here = await opened(place, ['--module', module])
    const found = await differences(await withToken(server), here.client)
    expect(found.filter((line) => !/_share: /.test(line))).toEqual([])
    const inspection = await here.client.read(`/log/${inspections[0]}.json`)
    expect(inspection).toMatchObject({ temper: 'calm', brood_frames: '7', queen_seen: true, inspector: 'Ida' })
    expect(JSON.stringify(inspection.honey_share)).toMatch(/0\.625|5\/8/)
    expect(JSON.stringify(inspection.mite_share)).toMatch(/1.*3/)
    expect((await here.client.read(`/farm_asset/${hive}.json`)).hive_kind.name).toBe('Dadant')
    await here.close()
    const without = await serve([], { env: place.env })
    expect(without.output()).toMatch(
      /records of a module that was not given: .*asset beehive.*log farm_hive_inspection/,
    )
    expect(without.output()).toContain('brood_frames of log')
    await without.stop()
  })
})

describe('a module of a hostile server', () => {
  it.each([{ more: [] }, { more: ['--dry-run'] }])(
    'is written and not loaded by the same command $more',
    async ({ more }) => {
      const farm = openHillFarm()
      withBeehives(farm)
      const place = await emptyFarm()
      const [module, mark] = [join(place.data, 'bees.mjs'), join(place.data, 'mark')]
      farm.name = `**//;(await import('node:fs')).writeFileSync('${mark}', '')/*`
      // A module that declares it cannot be loaded.
      for (const log of farm.logs) if (log.bundle === 'farm_activity') log.bundle = 'Bad type'
      const written = await moveIn(await farmos(farm), place, ['--write-module', module, ...more])
      expect(written.code, said(written)).toBe(0)
      expect(readFileSync(module, 'utf8')).toContain("'Bad type'")
      expect(existsSync(mark)).toBe(false)
    },
  )

  it('is not written over a file that is there', async () => {
    const place = await emptyFarm()
    const module = join(place.data, 'own.mjs')
    writeFileSync(module, 'mine')
    const refused = await moveIn(await farmos(openHillFarm()), place, ['--write-module', module])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`--module ${module}`)
    expect(readFileSync(module, 'utf8')).toBe('mine')
  })
})
