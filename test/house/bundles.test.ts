import { describe, expect, it } from 'vitest'
import { bundleNameFaults } from './bundles.ts'
import { appSources, sources } from './tree.ts'

describe('the house', () => {
  it('names bundles in the catalogue, the languages, the programs and the quick entries only', () => {
    expect(bundleNameFaults([...sources(), ...appSources()])).toEqual([])
  })
})

describe('the rule of bundle names', () => {
  const inMaps = (text: string) => bundleNameFaults([{ path: 'src/maps/import-areas.ts', text }])

  it('sees the name of a log type, an asset type, a quantity type and a vocabulary', () => {
    const wrong = [
      "const logs = 'farm_harvest'",
      '`/taxonomy_term.json?bundle=farm_areas`',
      '{ farm_seeding: 1 }',
      '/** Such as `farm_crops`. */',
      "asset.bundle === 'group'",
      "assets.get(id)?.bundle !== 'animal'",
      "{ type: 'asset', bundle: 'planting' }",
      "of={{ bundles: ['equipment'] }}",
      "bundle: 'standard'",
      "{ vocabulary: 'lab' }",
    ]
    for (const text of wrong) expect(inMaps(text), text).toHaveLength(1)
  })
  it('leaves English words and other names alone', () => {
    const right = [
      "labels: 'group'",
      "field === 'material'",
      "kind === 'water'",
      "'farm_asset'",
      'bundle === groupBundle',
      "{ name: 'bundle', value: areaBundle }",
    ]
    for (const text of right) expect(inMaps(text), text).toEqual([])
  })
  it('leaves the places alone that may name them', () => {
    const paths = [
      'src/farm/logs/log-types.ts',
      'src/words/de.ts',
      'src/storage/migrations/0010-quantities.ts',
      'programs/demo/demo.ts',
      'web/entries/harvest.tsx',
    ]
    for (const path of paths) expect(bundleNameFaults([{ path, text: "bundle === 'farm_harvest'" }]), path).toEqual([])
  })
})
