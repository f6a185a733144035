import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { root } from './tree.ts'
import { typesPage } from './types-page.ts'

const file = join(root, 'docs/types.md')
const advice = 'Write it anew with: WRITE_TYPES=1 npx vitest run --project house test/house/types-page.test.ts'

describe('docs/types.md', () => {
  it('says of every type and field what the catalogue says', () => {
    const expected = typesPage(stockFarm)
    if (process.env.WRITE_TYPES === '1') writeFileSync(file, expected)
    expect(readFileSync(file, 'utf8'), advice).toBe(expected)
  })

  it('is another as soon as the catalogue is', () => {
    const frames = { label: 'Hive', plural: 'Hives', fields: { frames: kit.whole('Frames', { required: true }) } }
    const grown = typesPage(kit.withAssetType(stockFarm, 'hive', frames))
    expect(grown).toContain('### Hive (`hive`)')
    expect(grown).toContain('| Frames | `frames` | whole number | required |')
  })
})
