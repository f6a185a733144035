import * as fc from 'fast-check'
import { archivedArea, archivedAsset } from './archived.ts'
import { type AreaKind, areaType, drawnShapes } from './area-facts.ts'
import { always } from './empty.ts'
import type { Fact, NewerFace } from './fact.ts'
import { files, hiddenFiles, hiddenImages, images } from './files.ts'
import {
  field,
  flags,
  geometry,
  longText,
  terms,
  text,
  texts,
  time,
  toMany,
  toOne,
  whole,
  word,
  yesNo,
} from './kinds.ts'
import { groups, laboratory, labTestType, owners, status } from './log-facts.ts'
import { logPlace } from './log-place.ts'
import { hiddenParents, parentsOfArea, parentsOfAsset } from './parents.ts'
import { period } from './period.ts'
import { hiddenTags, tags } from './tags.ts'
import { descriptionOfTerm, notesOfArea, notesOfAsset, notesOfLog } from './written-text.ts'

/** One type of records, as either generation has it. */
export interface BundleModel {
  readonly family: 'log' | 'asset' | 'area' | 'term'
  /** The record interface's word for it. */
  readonly older: string
  /** The newer generation's; an area is of the kind that its type says. */
  readonly newer: string
  /** What a log is called that has no name. */
  readonly label?: string
  // biome-ignore lint/suspicious/noExplicitAny: each fact has a state of its own, which nobody else looks into
  readonly facts: readonly Fact<any>[]
  /** Fields of the catalogue that neither generation shows of such a record. */
  readonly unseen?: readonly string[]
  /** Members of the newer generation that such a record never fills. */
  readonly neverFilled?: { readonly attributes?: object; readonly relationships?: object }
}

const name = field(text, { older: 'name', newer: 'name', required: true })
const both = (both: string) => ({ older: both, newer: both })

const noQuantities = always({
  keptIn: ['quantity', 'inventory'],
  older: { quantity: [], inventory: [] },
  newer: { relationships: { quantity: [] } },
})
const documented = [files, images, field(flags, { older: 'flags', newer: 'flag' }), field(longText, both('data'))]

/** The newer generation names a log that has no name, and dates it. */
const optionalInNewer = <S>(fact: Fact<S>): Fact<S> => {
  const { required: _, ...newer } = fact.newer as NewerFace<S>
  return { ...fact, newer }
}

/** Whoever takes the name away gets that one, too. */
const logName: Fact<string | null> = {
  ...name,
  newer: {
    say: (saying) => {
      const { draw } = saying
      if (draw(fc.integer, { min: 0, max: 3 }) > 0) return (name.newer as NewerFace<string | null>).say(saying)
      return { sent: { attributes: { name: draw(fc.boolean) ? '' : null } }, after: null }
    },
    show: () => ({}),
  },
}
const timestamp = optionalInNewer(field(time, { ...both('timestamp'), required: true }))

const log = (
  bundle: string,
  label: string,
  facts: BundleModel['facts'],
  more: Partial<BundleModel> = {},
): BundleModel => ({
  family: 'log',
  older: `farm_${bundle}`,
  newer: bundle,
  label,
  facts: [
    timestamp,
    logName,
    status,
    noQuantities,
    owners,
    notesOfLog,
    ...documented,
    field(toMany(terms('farm_log_categories')), { older: 'log_category', newer: 'category' }),
    field(
      toMany((world) => world.assets('equipment')),
      both('equipment'),
    ),
    field(texts, { newer: 'quick' }),
    groups,
    ...(ofPlantings.includes(bundle) ? [] : [logPlace({ ofPlantings: false })]),
    ...facts,
  ],
  ...more,
})

const ofPlantings = ['seeding', 'transplanting']

const lotNumber = field(text, both('lot_number'))

const tradePapers = [lotNumber, field(text, both('invoice_number'))]

const labTest = [
  field(time, { newer: 'lab_received_date' }),
  field(time, { newer: 'lab_processed_date' }),
  field(text, { newer: 'soil_texture' }),
]

const noSoil = { attributes: { soil_lab: null }, relationships: { soil_names: [] } }

export const logs: readonly BundleModel[] = [
  log('activity', 'Activity', []),
  log('birth', 'Birth record', [
    field(
      toOne((world) => world.assets('animal')),
      both('mother'),
    ),
    field(text, { newer: 'vet' }),
  ]),
  log('harvest', 'Harvest', [lotNumber]),
  log('input', 'Input', [
    field(time, { older: 'date_purchase', newer: 'purchase_date' }),
    field(text, { older: 'input_method', newer: 'method' }),
    field(text, both('input_purpose')),
    field(text, { older: 'input_source', newer: 'source' }),
    lotNumber,
    always({ keptIn: ['material'], older: { material: [] } }),
  ]),
  log('lab_test', 'Lab test', [labTestType(null), field(toOne(terms('lab')), { newer: 'lab' }), ...labTest], {
    neverFilled: { attributes: { ...noSoil.attributes, water_lab: null }, relationships: noSoil.relationships },
  }),
  log('maintenance', 'Maintenance', []),
  log('medical', 'Medical record', [field(text, both('vet'))]),
  log('observation', 'Observation', []),
  log('purchase', 'Purchase', [...tradePapers, field(text, both('seller'))]),
  log('sale', 'Sale', [...tradePapers, field(text, both('customer'))]),
  log('seeding', 'Seeding', [
    logPlace({ ofPlantings: true }),
    lotNumber,
    field(text, { older: 'seed_source', newer: 'source' }),
    field(time, { newer: 'purchase_date', kept: 'date_purchase' }),
  ]),
  log(
    'soil_test',
    'Lab test',
    [
      labTestType('soil'),
      laboratory('soil_lab'),
      field(toMany(terms('farm_soil_names')), both('soil_names')),
      ...labTest,
    ],
    { newer: 'lab_test', neverFilled: { attributes: { water_lab: null } } },
  ),
  log('transplanting', 'Transplanting', [logPlace({ ofPlantings: true })]),
  log('water_test', 'Lab test', [labTestType('water'), laboratory('water_lab'), ...labTest], {
    newer: 'lab_test',
    neverFilled: noSoil,
  }),
]

const ownedAndMarked = [
  field(
    toMany(({ users }) => users),
    { newer: 'owner' },
  ),
  field(texts, { newer: 'quick' }),
]

const asset = (older: string, newer: string, facts: BundleModel['facts']): BundleModel => ({
  family: 'asset',
  older,
  newer,
  facts: [
    name,
    notesOfAsset,
    ...documented,
    ...ownedAndMarked,
    archivedAsset,
    field(yesNo, { newer: 'is_location' }),
    field(yesNo, { newer: 'is_fixed' }),
    field(geometry, { newer: 'intrinsic_geometry' }),
    ...facts,
  ],
})

const crop = [
  field(toMany(terms('farm_crops'), 1), { older: 'crop', newer: 'plant_type', required: true }),
  field(toMany(terms('farm_season')), both('season')),
]

export const assets: readonly BundleModel[] = [
  asset('animal', 'animal', [
    field(toOne(terms('farm_animal_types')), { ...both('animal_type'), required: true }),
    field(texts, { older: 'animal_nicknames', newer: 'nickname' }),
    field(yesNo, { older: 'animal_castrated', newer: 'is_castrated' }),
    field(word(['F', 'M']), { older: 'animal_sex', newer: 'sex' }),
    field(time, { older: 'date', newer: 'birthdate' }),
    parentsOfAsset,
    tags,
  ]),
  asset('compost', 'compost', [parentsOfAsset, hiddenTags]),
  asset('equipment', 'equipment', [
    field(text, both('manufacturer')),
    field(text, both('model')),
    field(text, both('serial_number')),
    field(toMany(terms('equipment_type')), { newer: 'equipment_type' }),
    hiddenParents,
    hiddenTags,
  ]),
  asset('group', 'group', [parentsOfAsset, hiddenTags]),
  asset('material', 'material', [
    field(toOne(terms('farm_materials')), { ...both('material_type'), required: true }),
    parentsOfAsset,
    hiddenTags,
  ]),
  asset('planting', 'plant', [...crop, parentsOfAsset, hiddenTags]),
  asset('product', 'product', [
    field(toOne(terms('product_type')), { ...both('product_type'), required: true }),
    parentsOfAsset,
    hiddenTags,
  ]),
  asset('seed', 'seed', [...crop, parentsOfAsset, hiddenTags]),
  asset('sensor', 'sensor', [
    field(text, both('sensor_type')),
    field(longText, both('sensor_settings')),
    hiddenParents,
    hiddenTags,
  ]),
]

const weight = field({ ...whole, empty: 0 }, both('weight'))

/** What is so of an area unless somebody says otherwise. */
const usually = (newer: string, kept: string): Fact<boolean> => ({
  ...field({ ...yesNo, empty: true }, { newer }),
  keptIn: [kept],
})

const area = (kind: AreaKind): BundleModel => ({
  family: 'area',
  unseen: ['external_uri'],
  older: 'farm_areas',
  newer: kind,
  facts: [
    name,
    notesOfArea,
    ...documented.filter(({ name }) => name !== 'data'),
    field(longText, { newer: 'data' }),
    ...ownedAndMarked,
    archivedArea,
    weight,
    areaType(kind),
    drawnShapes,
    parentsOfArea,
    hiddenTags,
    usually('is_location', 'is_no_location'),
    usually('is_fixed', 'is_movable'),
  ],
})

export const areas: readonly BundleModel[] = [area('land'), area('structure'), area('water')]

const vocabulary = (older: string, newer: string, facts: BundleModel['facts'] = []): BundleModel => ({
  family: 'term',
  older,
  newer,
  facts: [
    name,
    descriptionOfTerm,
    weight,
    field(toMany(terms(older)), both('parent')),
    field(texts, { newer: 'external_uri' }),
    hiddenFiles,
    older === 'farm_crops' ? images : hiddenImages,
    ...facts,
  ],
})

export const vocabularies: readonly BundleModel[] = [
  vocabulary('farm_animal_types', 'animal_type'),
  vocabulary('farm_crop_families', 'crop_family'),
  vocabulary('farm_crops', 'plant_type', [
    field(toMany(terms('farm_crops')), both('companions')),
    field(toOne(terms('farm_crop_families')), both('crop_family')),
    field(whole, both('maturity_days')),
    field(whole, both('transplant_days')),
    field(whole, { newer: 'harvest_days' }),
  ]),
  vocabulary('equipment_type', 'equipment_type'),
  vocabulary('lab', 'lab'),
  vocabulary('farm_log_categories', 'log_category'),
  vocabulary('farm_materials', 'material_type'),
  vocabulary('product_type', 'product_type'),
  vocabulary('farm_quantity_units', 'unit'),
  vocabulary('farm_season', 'season', [period]),
  vocabulary('farm_soil_names', 'soil_name'),
  vocabulary('test_method', 'test_method'),
]

export const bundles: readonly BundleModel[] = [...vocabularies, ...areas, ...assets, ...logs]
