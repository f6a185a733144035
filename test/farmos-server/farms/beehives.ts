import { assetType } from '../data/asset-bundles.ts'
import type { Bundle } from '../data/bundle.ts'
import type { Farm } from '../data/farm.ts'
import { asset, assets, date, fraction, quantities, term, text, texts, whole, word, yesNo } from '../data/fields.ts'
import { logType } from '../data/log-bundles.ts'
import { addAsset, addLog, addTerm, day } from './adding.ts'

/** A module of the farm's own, which nobody else knows: an asset type, a log type, a vocabulary, and fields of many kinds. */
const beehives: readonly Bundle[] = [
  {
    kind: 'taxonomy_term',
    name: 'farm_hive_kinds',
    label: 'Hive kind',
    plural: 'Hive kinds',
    fields: { frames: whole('Frames') },
  },
  assetType('beehive', ['Beehive', 'Beehives'], {
    hive_kind: term('Kind'),
    queen_colour: word('Colour of the queen'),
    built: date('Built'),
  }),
  logType('farm_hive_inspection', ['Hive inspection', 'Hive inspections'], {
    asset: assets('Hives'),
    quantity: quantities('Quantity'),
    queen_seen: yesNo('Queen seen'),
    brood_frames: whole('Frames with brood'),
    temper: word('Temper'),
    smells: texts('Smells'),
    inspector: text('Inspector'),
    swarm_of: asset('Swarm of'),
    honey_share: fraction('Share of honey'),
    mite_share: fraction('Share of mites'),
  }),
]

export function withBeehives(farm: Farm): { hive: number; inspections: readonly number[] } {
  farm.bundles.push(...beehives)
  const vocabulary = Math.max(...farm.vocabularies.map(({ id }) => id)) + 4
  farm.vocabularies.push({
    id: vocabulary,
    machineName: 'farm_hive_kinds',
    name: 'Farm Hive Kinds',
    description: 'Boxes',
  })
  const kind = addTerm(farm, 'Dadant', { bundle: 'farm_hive_kinds', values: { frames: 12 } })
  const hive = addAsset(farm, 'Hive 1', {
    bundle: 'beehive',
    values: { hive_kind: kind, queen_colour: 'blue', built: day('2018-05-01') },
  })
  const swarm = addAsset(farm, 'Hive 2', { bundle: 'beehive', values: { queen_colour: 'white' } })
  const inspections = [
    addLog(farm, 'Inspection in May', {
      bundle: 'farm_hive_inspection',
      values: {
        asset: [hive],
        queen_seen: true,
        brood_frames: 7,
        temper: 'calm',
        smells: ['honey', 'smoke'],
        inspector: 'Ida',
        honey_share: { numerator: '5', denominator: '8' },
        mite_share: { numerator: '1', denominator: '3' },
        quantity: [{ measure: 'weight', value: '21.3', label: 'hive' }],
      },
    }),
    addLog(farm, 'Inspection of the swarm', {
      bundle: 'farm_hive_inspection',
      values: { asset: [swarm], swarm_of: hive, temper: 'nervous' },
    }),
  ]
  return { hive, inspections }
}
