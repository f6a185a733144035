import type * as assetTypes from './assets/asset-types.ts'
import type * as logTypes from './logs/log-types.ts'
import type * as quantityTypes from './quantities/quantity-types.ts'
import type * as vocabularies from './terms/vocabularies.ts'

/** Bundles that other rooms and the app refer to by purpose. The app bundles this file, so it imports types only. */

export const areaBundle = 'farm_areas' satisfies keyof typeof vocabularies
export const animalTypeBundle = 'farm_animal_types' satisfies keyof typeof vocabularies
export const cropBundle = 'farm_crops' satisfies keyof typeof vocabularies
export const logCategoryBundle = 'farm_log_categories' satisfies keyof typeof vocabularies
export const materialBundle = 'farm_materials' satisfies keyof typeof vocabularies
export const unitBundle = 'farm_quantity_units' satisfies keyof typeof vocabularies

export const animalBundle = 'animal' satisfies keyof typeof assetTypes
export const equipmentBundle = 'equipment' satisfies keyof typeof assetTypes
export const groupBundle = 'group' satisfies keyof typeof assetTypes
export const plantingBundle = 'planting' satisfies keyof typeof assetTypes

export const harvestBundle = 'farm_harvest' satisfies keyof typeof logTypes
export const medicalBundle = 'farm_medical' satisfies keyof typeof logTypes

/** The default type of a quantity. */
export const usualQuantityBundle = 'standard' satisfies keyof typeof quantityTypes
/** The type of a quantity that only names a material. */
export const materialQuantityBundle = 'material' satisfies keyof typeof quantityTypes

/** The app's picture of each log type; an activity shows its assets. */
export const logPictures = {
  farm_birth: 'cow',
  farm_harvest: 'harvest',
  farm_input: 'input',
  farm_lab_test: 'eye',
  farm_maintenance: 'maintain',
  farm_medical: 'treat',
  farm_observation: 'eye',
  farm_seeding: 'seed',
  farm_soil_test: 'eye',
  farm_transplanting: 'seed',
  farm_water_test: 'eye',
} as const satisfies Partial<Record<keyof typeof logTypes, string>>

export const assetPictures = {
  animal: 'cow',
  compost: 'input',
  equipment: 'maintain',
  group: 'cow',
  material: 'input',
  planting: 'carrot',
  product: 'harvest',
  seed: 'seed',
  sensor: 'eye',
} as const satisfies Record<keyof typeof assetTypes, string>
