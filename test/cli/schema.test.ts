import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { root } from '../house/tree.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import { furrow } from './built-furrow.ts'

interface Row {
  readonly record: string
  readonly bundle: string
  readonly field: string
  readonly only?: string
}

const rowsOf = (stdout: string): readonly Row[] => JSON.parse(stdout)

describe('furrow schema', () => {
  it('prints every field of every bundle as JSON for programs', async () => {
    const { code, stdout } = await furrow(['schema', '--json'])
    const rows = rowsOf(stdout)
    expect(code).toBe(0)
    for (const type of recordTypeNames) {
      for (const bundle of Object.keys(interfaceFarm(stockFarm).records[type].bundles)) {
        const names = Object.keys(interfaceFields(stockFarm.records[type], bundle))
        const told = rows
          .filter((row) => row.record === resourceOf[type] && row.bundle === bundle && row.only === undefined)
          .map((row) => row.field)
        expect(told.filter((name) => !name.includes('.'))).toEqual(names)
      }
    }
    expect(rows).toContainEqual({
      record: 'log',
      bundle: 'farm_harvest',
      field: 'quantity.unit',
      label: 'Unit',
      kind: 'reference',
      many: false,
      required: false,
      readOnly: false,
      computed: false,
      refersTo: 'taxonomy_term farm_quantity_units',
    })
    expect(rows.find(({ bundle, field }) => bundle === 'animal' && field === 'animal_sex')).toMatchObject({
      kind: 'choice',
      choices: ['F', 'M'],
      open: false,
    })
  })

  it('marks what the record interface does not have', async () => {
    const rows = rowsOf((await furrow(['schema', '--json'])).stdout)
    const marked = (path: string) =>
      rows.find(({ bundle, field }) => `${bundle}.${field}` === path)?.only === 'newer' ? path : 'has no mark'
    for (const path of ['farm_activity.place', 'farm_activity.quantity.test_method', 'seed.name', 'lab.name'])
      expect(marked(path)).toBe(path)
    expect(marked('farm_activity.quantity.unit')).toBe('has no mark')
  })

  it('prints a table for people', async () => {
    const { stdout } = await furrow(['schema'])
    const [headings = '', ...lines] = stdout.trimEnd().split('\n')
    expect(headings).toMatch(/^RECORD +BUNDLE +FIELD +KIND +MANY +NEEDED +SET BY +ONLY +VALUES$/)
    const line = (pattern: RegExp) => lines.find((text) => pattern.test(text)) ?? ''
    expect(line(/^log +farm_seeding +asset /)).toMatch(/reference +many +required +farm_asset planting$/)
    expect(line(/^farm_asset +animal +location /)).toMatch(/reference +many +computed +taxonomy_term farm_areas$/)
    expect(line(/^log +farm_activity +flags /)).toMatch(/priority, monitor, review, …$/)
    expect(line(/^log +farm_activity +id /)).toMatch(/whole +the farm$/)
  })

  it('shows what a module adds', async () => {
    const { stdout } = await furrow(['schema', '--json', '--module', join(root, 'examples/beehives.mjs')])
    expect(rowsOf(stdout).some(({ bundle }) => bundle === 'hive')).toBe(true)
  })
})
