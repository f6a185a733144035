import { languages as spoken } from '../words/languages.ts'
import * as assetTypes from './assets/asset-types.ts'
import { assetProperties } from './assets/properties.ts'
import type { Choice, Farm, Language } from './farm.ts'
import * as logTypes from './logs/log-types.ts'
import { logProperties } from './logs/properties.ts'
import { farmClient, fieldkitClient } from './people/clients.ts'
import { scopes } from './people/scopes.ts'
import { quantityProperties } from './quantities/properties.ts'
import * as quantityTypes from './quantities/quantity-types.ts'
import { termProperties } from './terms/properties.ts'
import * as vocabularies from './terms/vocabularies.ts'

/** Every language of Furrow; the farm's settings select from them. */
const languages: readonly Language[] = Object.entries(spoken).map(([language, { name, native, rightToLeft }]) => ({
  language,
  name,
  native,
  direction: rightToLeft ? 1 : 0,
}))

const flags: readonly Choice[] = [
  { value: 'priority', label: 'Priority' },
  { value: 'monitor', label: 'Monitor' },
  { value: 'review', label: 'Needs Review' },
]

const measures: readonly Choice[] = [
  { value: 'count', label: 'Count' },
  { value: 'length', label: 'Length/depth' },
  { value: 'weight', label: 'Weight' },
  { value: 'area', label: 'Area' },
  { value: 'volume', label: 'Volume' },
  { value: 'time', label: 'Time' },
  { value: 'temperature', label: 'Temperature' },
  { value: 'pressure', label: 'Pressure' },
  { value: 'water_content', label: 'Water content' },
  { value: 'value', label: 'Value' },
  { value: 'rate', label: 'Rate' },
  { value: 'rating', label: 'Rating' },
  { value: 'ratio', label: 'Ratio' },
  { value: 'probability', label: 'Probability' },
  { value: 'speed', label: 'Speed', only: 'newer' },
]

const sexes: readonly Choice[] = [
  { value: 'F', label: 'Female' },
  { value: 'M', label: 'Male' },
]

const tagTypes: readonly Choice[] = [
  { value: 'Brand', label: 'Brand', newer: 'brand' },
  { value: 'Ear tag', label: 'Ear tag', newer: 'ear_tag' },
  { value: 'Tattoo', label: 'Tattoo', newer: 'tattoo' },
  { value: 'Leg band', label: 'Leg band', newer: 'leg_band' },
  { value: 'Chip', label: 'Chip', newer: 'eid' },
  { value: 'Other', label: 'Other', newer: 'other' },
]

const areaTypes: readonly Choice[] = [
  { value: 'field', label: 'Field' },
  { value: 'bed', label: 'Bed' },
  { value: 'building', label: 'Building', kind: 'structure' },
  { value: 'greenhouse', label: 'Greenhouse', kind: 'structure' },
  { value: 'property', label: 'Property' },
  { value: 'paddock', label: 'Paddock' },
  { value: 'water', label: 'Water', kind: 'water' },
  { value: 'landmark', label: 'Landmark' },
  { value: 'other', label: 'Other', alsoKind: ['structure'] },
]

const logStatuses: readonly Choice[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'done', label: 'Done' },
  { value: 'abandoned', label: 'Abandoned', only: 'newer' },
]

const assetStatuses: readonly Choice[] = [
  { value: 'active', label: 'Active', only: 'newer' },
  { value: 'archived', label: 'Archived', only: 'newer' },
]

const adjustments: readonly Choice[] = [
  { value: 'increment', label: 'Increment', only: 'newer' },
  { value: 'decrement', label: 'Decrement', only: 'newer' },
  { value: 'reset', label: 'Reset', only: 'newer' },
]

const labTestTypes: readonly Choice[] = [
  { value: 'soil', label: 'Soil test', only: 'newer' },
  { value: 'tissue', label: 'Tissue test', only: 'newer' },
  { value: 'water', label: 'Water test', only: 'newer' },
]

const withheldProducts: readonly Choice[] = [
  { value: 'meat', label: 'Meat' },
  { value: 'milk', label: 'Milk' },
  { value: 'eggs', label: 'Eggs' },
  { value: 'honey', label: 'Honey' },
  { value: 'harvest', label: 'Harvest' },
  { value: 'grazing', label: 'Grazing' },
  { value: 'entry', label: 'No entry' },
  { value: 'all', label: 'Everything' },
]

/** The words of choice fields; a module can extend any list, or add its own. */
export const lists = {
  flags,
  measures,
  sexes,
  tag_types: tagTypes,
  area_types: areaTypes,
  log_statuses: logStatuses,
  asset_statuses: assetStatuses,
  inventory_adjustments: adjustments,
  lab_test_types: labTestTypes,
  withheld_products: withheldProducts,
}

/** The farm before any module. */
export const stockFarm: Farm = {
  records: {
    log: { name: 'log', idName: 'id', bundleName: 'type', properties: logProperties, bundles: { ...logTypes } },
    asset: {
      name: 'asset',
      idName: 'id',
      bundleName: 'type',
      properties: assetProperties,
      bundles: { ...assetTypes },
    },
    term: {
      name: 'term',
      idName: 'tid',
      bundleName: 'vocabulary',
      properties: termProperties,
      bundles: { ...vocabularies },
    },
    quantity: {
      name: 'quantity',
      idName: 'id',
      bundleName: 'type',
      properties: quantityProperties,
      bundles: { ...quantityTypes },
    },
  },
  lists,
  languages,
  scopes,
  clients: [farmClient, fieldkitClient],
  info: {},
}
