import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { moduleFor } from '../../src/cli/farmos/module-text.ts'
import { ReadRecords } from '../../src/cli/farmos/read-records.ts'
import { unknownTo } from '../../src/cli/farmos/unknown-types.ts'
import { loadFarm } from '../../src/cli/modules.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Tree } from '../../src/fields/place.ts'
import { emptyDirectory } from '../harness/databases.ts'

async function farmWith(fields: Tree, logs: readonly Tree[], name = 'Elsewhere') {
  const folder = await emptyDirectory()
  const store = (file: string) => new ReadRecords(join(folder, file))
  const records = { log: store('log'), asset: store('asset'), term: store('term') }
  records.log.keep(new Map(logs.map((log, index) => [index + 1, { id: index + 1, type: 'farm_odd', ...log }])))
  const resources = { log: { farm_odd: { label: "It's odd", label_plural: 'Odd', fields } } }
  return {
    folder,
    other: { info: { name, resources }, from: 'farmOS' as const, vocabularies: store('v'), users: store('u'), records },
  }
}

async function loaded({ folder, other }: Awaited<ReturnType<typeof farmWith>>) {
  const text = moduleFor(stockFarm, other, unknownTo(stockFarm, other))
  const file = join(folder, 'module.mjs')
  writeFileSync(file, text)
  return { text, farm: await loadFarm([file]) }
}

it('a module declares fields of every kind that is described, and marks what it guesses', async () => {
  const { text, farm } = await loaded(
    await farmWith(
      {
        share: { label: 'Share', type: 'fraction', data_schema: null },
        third: { label: 'Third', type: 'fraction', data_schema: null },
        mood: { label: 'Mood', type: 'list_text', data_schema: [''] },
        part_of: { label: 'Parts', type: 'field_collection', data_schema: [{ size: null, note: '' }] },
      },
      [
        { share: { numerator: '1', denominator: '4' }, third: { numerator: '1', denominator: '3' }, mood: ['calm'] },
        { part_of: [{ size: '2.5', note: 'big' }], told_nowhere: 'x' },
      ],
    ),
  )
  const { fields } = farm.records.log.bundles.farm_odd ?? { fields: {} }
  expect(fields).toMatchObject({
    share: { kind: 'decimal' },
    third: { kind: 'text' },
    mood: { kind: 'choice', many: true, open: true },
    part_of: { kind: 'part', many: true, fields: { size: { kind: 'decimal' }, note: { kind: 'text' } } },
    told_nowhere: { kind: 'text' },
  })
  expect(text).toMatch(/told_nowhere: .* \/\/ guessed/)
})

it('a module holds no code of the other server', async () => {
  const evil = 'x: (globalThis.broken = 1), y'
  const hostile = await farmWith(
    { [evil]: { label: "'); globalThis.broken = 1 //\n globalThis.broken = 1", type: 'text', data_schema: '' } },
    [],
    'A */ globalThis.broken = 1 /*\nglobalThis.broken = 1',
  )
  await expect(loaded(hostile)).rejects.toThrow('describes what cannot be recorded')
  expect(globalThis).not.toHaveProperty('broken')
})
