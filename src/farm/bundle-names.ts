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

export const activityBundle = 'farm_activity' satisfies keyof typeof logTypes
export const birthBundle = 'farm_birth' satisfies keyof typeof logTypes
export const harvestBundle = 'farm_harvest' satisfies keyof typeof logTypes
export const medicalBundle = 'farm_medical' satisfies keyof typeof logTypes
export const observationBundle = 'farm_observation' satisfies keyof typeof logTypes
export const purchaseBundle = 'farm_purchase' satisfies keyof typeof logTypes
export const saleBundle = 'farm_sale' satisfies keyof typeof logTypes
export const seedingBundle = 'farm_seeding' satisfies keyof typeof logTypes
export const transplantingBundle = 'farm_transplanting' satisfies keyof typeof logTypes

/** Log types whose first record comes by `POST /batch` (`first` in the catalogue): the app sends them so, also alone. */
export const sentInBatches: readonly string[] = [purchaseBundle, saleBundle]

/** UUID of the log category `Slaughter`. Alone, so that the app's bundler leaves the others away. */
export const slaughterCategory = 'c0196c72-a0bd-4426-b280-7f68c4ac4504'

/**
 * Log categories of activities by which an animal comes or goes: each term is made at its first use with this UUID and name.
 * Everyone knows it by the UUID; the app and papers show it in the reader's language.
 */
export const comingAndGoing = {
  arrived: { uuid: '744310fd-b927-43ab-aa97-5adb9d5b2e28', name: 'Arrival' },
  died: { uuid: '37af686d-ca80-497a-b827-ae99ea48879f', name: 'Death' },
  slaughtered: { uuid: slaughterCategory, name: 'Slaughter' },
  departed: { uuid: '1c37816b-93a7-408a-b958-c7378ba3e3f7', name: 'Departure' },
} as const

/** Products that can be withheld. Written out, so that the app's bundler can leave it away. */
export const withheldProducts = ['meat', 'milk', 'eggs', 'honey', 'harvest', 'grazing', 'entry'] as const
export type WithheldProduct = (typeof withheldProducts)[number]

/** Quantities that say how long something is withheld: measure `time`, this label, hours or days. */
export const withholdingLabel = (product: WithheldProduct): string =>
  product === 'entry' ? 'no entry' : `withhold ${product}`

/** All of these labels by product; the app makes them one by one. */
export const withholdingLabels = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ withheldProducts.map((product) => [product, withholdingLabel(product)]),
) as Readonly<Record<WithheldProduct, string>>

/** The quantity of a treatment that says how much each animal got; in no sum. */
export const perHeadLabel = 'per head'

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
  farm_purchase: 'input',
  farm_sale: 'harvest',
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
