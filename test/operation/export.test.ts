import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { exportIn } from '../../src/storage/backup/directory.ts'
import type { Engine } from '../../src/storage/database.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { inTurnsOn } from '../harness/share-of-engine.ts'
import { growFarm } from './grown-farm.ts'
import { exported, filesOf, importInto, moveTo } from './moves.ts'

async function grownFarm(engine: Engine): Promise<StoragePlace> {
  const place = await emptyPlace(engine)
  const farm = await openFarm({ place })
  await growFarm(farm)
  await farm.close()
  return place
}

describe.each(engines)('an export from %s', (engine) => {
  const testInTurn = inTurnsOn(engine)
  let place: StoragePlace

  beforeAll(async () => {
    place = await grownFarm(engine)
  })

  test.each(engines)(
    'imported into an empty %s farm and exported again is the same to the last byte',
    async (other) => {
      const first = await exported(place)
      const target = await emptyPlace(other)
      await importInto(target, first)
      const [before, after] = [await filesOf(first), await filesOf(await exported(target))]
      expect([...after.keys()]).toEqual([...before.keys()])
      expect(before.size).toBeGreaterThan(0)
      for (const [name, text] of before) expect(after.get(name) === text, name).toBe(true)
    },
  )

  testInTurn('holds readable lines, password hashes, and no session, token or secret', async () => {
    const directory = await exported(place)
    const [line = ''] = (await readFile(join(directory, 'log/000001.jsonl'), 'utf8')).split('\n')
    expect(JSON.parse(line)).toMatchObject({
      name: 'Out',
      fields: { quantity: [{ measure: 'weight', value: '12.0' }] },
    })
    const accounts = await readFile(join(directory, 'account/000001.jsonl'), 'utf8')
    expect(accounts).toContain('$argon2id$')
    const all = [...(await filesOf(directory))].map(([name, text]) => name + text).join('')
    expect(all).not.toMatch(/installation_secret|access_token|session\//)
  })

  testInTurn('goes on with the numbers it had: what was removed is not given again', async () => {
    const target = await emptyPlace(engine)
    await importInto(target, await exported(place))
    const moved = await openFarm({ place: target })
    const client = await moved.login('manager')
    expect(await client.create('log', { name: 'Next', type: 'farm_activity', timestamp: 1 })).toBe('5')
    expect(await client.create('farm_asset', { name: 'Next', type: 'equipment' })).toBe('4')
  })

  testInTurn('is refused with an asset that has a number of areas', async () => {
    const crowded = await grownFarm(engine)
    const database = await openDatabase(crowded)
    const number = 1_000_000_000
    await database.write((tx) =>
      sql`update asset set id = ${sql.lit(number)} where id = (select max(id) from asset)`.execute(tx),
    )
    await database.close()
    const target = await emptyPlace(engine)
    await expect(importInto(target, await exported(crowded))).rejects.toThrow(
      /^The asset “.+” has the number 1000000000: assets have numbers below 1000000000\./,
    )
  })

  testInTurn('is refused by a farm in which somebody has recorded something', async () => {
    const target = await grownFarm(engine)
    const before = await filesOf(await exported(target))
    await expect(importInto(target, await exported(place))).rejects.toThrow('There is a farm')
    expect(await filesOf(await exported(target))).toEqual(before)
  })

  testInTurn('is refused where a file was changed, is missing or was added', async () => {
    const damages: Record<string, (directory: string) => Promise<void>> = {
      changed: async (directory) => {
        const path = join(directory, 'asset/000001.jsonl')
        await writeFile(path, (await readFile(path, 'utf8')).replace('Berta', 'Berte'))
      },
      missing: (directory) => rm(join(directory, 'log/000001.jsonl')),
      added: (directory) => writeFile(join(directory, 'log/000002.jsonl'), '{}\n'),
      unfinished: (directory) => rm(join(directory, 'manifest.json')),
    }
    for (const [name, damage] of Object.entries(damages)) {
      const directory = await exported(place)
      await damage(directory)
      await expect(importInto(await emptyPlace(engine), directory), name).rejects.toMatchObject({ name: 'Refusal' })
    }
  })

  testInTurn('with records of a module is taken in only where the module is, unless told otherwise', async () => {
    const changed = await grownFarm(engine)
    const database = await openDatabase(changed)
    await database.write((tx) => tx.updateTable('asset').set({ bundle: 'beehive' }).where('id', '=', 2).execute())
    await database.close()
    const [directory, target] = [await exported(changed), await emptyPlace(engine)]
    await expect(importInto(target, directory)).rejects.toThrow('beehive')
    await restoreFarm(exportIn(directory), moveTo(target, { ifUnknown: 'keep' }))
    expect(await filesOf(await exported(target))).toEqual(await filesOf(directory))
  })
})
