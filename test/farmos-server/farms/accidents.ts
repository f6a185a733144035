import type { Farm } from '../data/farm.ts'
import { addAsset, addFile, addLog, addTerm, day } from './adding.ts'

/** What the other server let in, and another may refuse. Each answers the id of what it has added. */
const accidents = {
  namelessAsset: (farm: Farm) => addAsset(farm, '', { bundle: 'equipment' }),
  namelessTerm: (farm: Farm) => addTerm(farm, '', { bundle: 'farm_materials' }),
  plantingWithoutCrop: (farm: Farm) => addAsset(farm, 'Something green', { bundle: 'planting' }),
  animalWithoutType: (farm: Farm) => addAsset(farm, 'Something that moves', { bundle: 'animal' }),
  seedingOfAnimal: (farm: Farm) => {
    const animal = addAsset(farm, 'Seeded by mistake', { bundle: 'animal', values: { animal_type: speciesOf(farm) } })
    return addLog(farm, 'Seeding of an animal', { bundle: 'farm_seeding', values: { asset: [animal] } })
  },
  seedingOfNothing: (farm: Farm) => addLog(farm, 'Seeding of nothing', { bundle: 'farm_seeding' }),
  danglingAsset: (farm: Farm) =>
    addLog(farm, 'About an asset that is gone', { bundle: 'farm_observation', values: { asset: [9001] } }),
  danglingTerm: (farm: Farm) =>
    addLog(farm, 'In an area that is gone', {
      bundle: 'farm_observation',
      values: { area: [9002], log_category: [9003], movement: { area: [9002], geometry: 'POINT (7 51)' } },
    }),
  danglingUnit: (farm: Farm) =>
    addLog(farm, 'In a unit that is gone', {
      bundle: 'farm_harvest',
      values: { quantity: [{ measure: 'weight', value: '4', unit: 9004, label: 'left' }] },
    }),
  danglingOwner: (farm: Farm) =>
    addLog(farm, 'Owned by a user that is gone', { bundle: 'farm_observation', values: { log_owner: [9005] } }),
  danglingParent: (farm: Farm) => {
    const [{ id: crop } = { id: 0 }] = farm.terms.filter(({ bundle }) => bundle === 'farm_crops')
    return addAsset(farm, 'Child of one that is gone', { bundle: 'planting', values: { crop: [crop], parent: [9006] } })
  },
  danglingFile: (farm: Farm) =>
    addLog(farm, 'With a photo that is gone', { bundle: 'farm_observation', values: { images: [9007] } }),
  authorGone: (farm: Farm) =>
    addLog(farm, 'By nobody', { bundle: 'farm_observation', author: 0, values: { log_owner: [] } }),
  foreignMeasure: (farm: Farm) =>
    addLog(farm, 'In a measure of its own', {
      bundle: 'farm_observation',
      values: { quantity: [{ measure: 'brix', value: '12.1', label: 'sweet' }] },
    }),
  quantityOfNothing: (farm: Farm) =>
    addLog(farm, 'Nothing measured', { bundle: 'farm_observation', values: { quantity: [{}] } }),
  foreignFlag: (farm: Farm) =>
    addLog(farm, 'With a flag of a former module', {
      bundle: 'farm_observation',
      values: { flags: ['organic', 'monitor'] },
    }),
  foreignAreaType: (farm: Farm) => addTerm(farm, 'Moor', { bundle: 'farm_areas', values: { area_type: 'moor' } }),
  foreignTagType: (farm: Farm) =>
    addAsset(farm, 'Chipped', {
      bundle: 'animal',
      values: { animal_type: speciesOf(farm), animal_tag: [{ id: '1', location: 'Neck', type: 'Chip' }] },
    }),
  badGeometry: (farm: Farm) =>
    addLog(farm, 'Somewhere', { bundle: 'farm_observation', values: { geofield: ['POLYGON ((7 51, 7 52, 8 52))'] } }),
  noGeometry: (farm: Farm) =>
    addLog(farm, 'Over there', { bundle: 'farm_observation', values: { geofield: ['behind the barn'] } }),
  badMovement: (farm: Farm) =>
    addLog(farm, 'Moved somewhere', { bundle: 'farm_activity', values: { movement: { geometry: 'POINT (7)' } } }),
  movementWithoutArea: (farm: Farm) => {
    const asset = farm.assets.findLast(({ bundle }) => bundle === 'animal')?.id ?? 0
    const movement = { geometry: 'POINT (9.1 51.2)' }
    return addLog(farm, 'Walked off', { bundle: 'farm_observation', values: { asset: [asset], movement } })
  },
  blockedOwner: (farm: Farm) =>
    addLog(farm, 'Of a former hand', { bundle: 'farm_observation', author: 5, values: { log_owner: [5, 3] } }),
  controlCharacters: (farm: Farm) =>
    addLog(farm, 'Two\nlines\u202e\u0085', {
      bundle: 'farm_harvest',
      values: {
        lot_number: 'L\u00001',
        notes: 'Bell\u0007 and nothing\u0000',
        quantity: [{ measure: 'weight', value: '4', label: 'tab\tbed' }],
      },
    }),
  otherFormat: (farm: Farm) =>
    addLog(farm, 'In another format', {
      bundle: 'farm_observation',
      values: { notes: { text: 'Written as HTML', format: 'full_html' } },
    }),
  escapedTerm: (farm: Farm) => addTerm(farm, 'A &amp; B', { bundle: 'farm_materials' }),
  doubledTerm: (farm: Farm) => {
    addTerm(farm, 'Kale', { bundle: 'farm_crops' })
    return addTerm(farm, 'kale', { bundle: 'farm_crops' })
  },
  longAgo: (farm: Farm) => addLog(farm, 'Before 1970', { bundle: 'farm_observation', timestamp: -day('1971-01-01') }),
  fileElsewhere: (farm: Farm) => {
    const file = addFile(farm, 'elsewhere.png', { place: 'public', address: 'http://elsewhere.example/elsewhere.png' })
    return addLog(farm, 'With a photo elsewhere', { bundle: 'farm_observation', values: { images: [file] } })
  },
  sameTwice: (farm: Farm) => {
    const [{ id: asset } = { id: 0 }] = farm.assets
    return addLog(farm, 'The same one twice', { bundle: 'farm_observation', values: { asset: [asset, asset] } })
  },
  circle: (farm: Farm) => {
    const child = addAsset(farm, 'Her own grandmother', { bundle: 'group' })
    const parent = addAsset(farm, 'Her own mother', { bundle: 'group', values: { parent: [child] } })
    for (const asset of farm.assets) if (asset.id === child) asset.values.parent = [parent]
    return child
  },
  textAmongImages: (farm: Farm) => {
    const file = addFile(farm, 'no-picture.txt', { place: 'public' })
    return addLog(farm, 'With a text as its photo', { bundle: 'farm_observation', values: { images: [file] } })
  },
  sharedFile: (farm: Farm) => {
    const file = addFile(farm, 'shared.png', { place: 'public' })
    addLog(farm, 'With a photo', { bundle: 'farm_observation', values: { images: [file] } })
    return addLog(farm, 'With the same photo', { bundle: 'farm_observation', values: { images: [file] } })
  },
  wrongSize: (farm: Farm) => {
    const file = addFile(farm, 'grown.txt', { place: 'public', saidSize: 3 })
    return addLog(farm, 'With a file of another size', { bundle: 'farm_observation', values: { files: [{ file }] } })
  },
  timeZero: (farm: Farm) => addLog(farm, 'At the beginning', { bundle: 'farm_observation', timestamp: 0, created: 0 }),
  emptyFile: (farm: Farm) => {
    const file = addFile(farm, 'empty.txt', { place: 'public', content: Buffer.alloc(0) })
    return addLog(farm, 'With an empty file', { bundle: 'farm_observation', values: { files: [{ file }] } })
  },
} satisfies Readonly<Record<string, (farm: Farm) => number>>

const speciesOf = ({ terms }: Farm): number => terms.find(({ bundle }) => bundle === 'farm_animal_types')?.id ?? 0

export type Accident = keyof typeof accidents

export const allAccidents = Object.keys(accidents) as Accident[]

/** The ids of what was added, by accident. */
export const withAccidents = (farm: Farm, which: readonly Accident[] = allAccidents): Record<Accident, number> =>
  Object.fromEntries(which.map((accident) => [accident, accidents[accident](farm)])) as Record<Accident, number>
