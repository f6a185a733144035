import { whole } from '../../fields/number.ts'
import { termsOf } from '../../fields/reference.ts'
import { period } from '../../fields/time.ts'
import type { Vocabulary } from '../farm.ts'
import { images } from '../record-fields.ts'

const animalTypes: Vocabulary = {
  label: 'Type',
  plural: 'Types',
  title: 'Farm Animal Species/Breeds',
  description: 'What animals are kept',
  newer: { name: 'animal_type' },
  fields: {},
}

const cropFamilies: Vocabulary = {
  label: 'Crop Family',
  plural: 'Crop Families',
  title: 'Farm Crop Families',
  description: 'What crops are related',
  newer: { name: 'crop_family' },
  fields: {},
}

const crops: Vocabulary = {
  label: 'Crop/variety',
  plural: 'Crops/varieties',
  title: 'Farm Crops/Varieties',
  description: 'What is grown',
  newer: { name: 'plant_type' },
  fields: {
    companions: termsOf('Companions', 'farm_crops', { many: true }),
    crop_family: termsOf('Crop family', 'farm_crop_families'),
    images,
    maturity_days: whole('Days to maturity', { min: 0 }),
    transplant_days: whole('Days to transplant', { min: 0 }),
    harvest_days: whole('Days to harvest', { min: 0, only: 'newer' }),
  },
}

const equipmentTypes: Vocabulary = {
  label: 'Equipment type',
  plural: 'Equipment types',
  title: 'Farm Equipment Types',
  description: 'What equipment is for',
  only: 'newer',
  fields: {},
}

const labs: Vocabulary = {
  label: 'Laboratory',
  plural: 'Laboratories',
  title: 'Farm Laboratories',
  description: 'Who tests samples',
  only: 'newer',
  fields: {},
}

const logCategories: Vocabulary = {
  label: 'Log category',
  plural: 'Log categories',
  title: 'Farm Log Categories',
  description: 'What logs are about',
  newer: { name: 'log_category' },
  fields: {},
  firstTerms: ['Plantings', 'Animals', 'Equipment', 'Soil', 'Tillage', 'Water', 'Compost', 'Sensors'],
}

const materials: Vocabulary = {
  label: 'Material',
  plural: 'Materials',
  title: 'Farm Materials',
  description: 'What is applied to land, crops and animals',
  newer: { name: 'material_type' },
  fields: {},
}

const productTypes: Vocabulary = {
  label: 'Product type',
  plural: 'Product types',
  title: 'Farm Product Types',
  description: 'What is made',
  only: 'newer',
  fields: {},
}

const quantityUnits: Vocabulary = {
  label: 'Quantity unit',
  plural: 'Quantity units',
  title: 'Farm Quantity Units',
  description: 'What quantities are counted in',
  newer: { name: 'unit' },
  fields: {},
}

const seasons: Vocabulary = {
  label: 'Season',
  plural: 'Seasons',
  title: 'Farm Season',
  description: 'When it is grown',
  fields: { date_range: period('Date Range') },
}

const soilNames: Vocabulary = {
  label: 'Soil name',
  plural: 'Soil names',
  title: 'Farm Soil Names',
  description: 'What soils are called',
  newer: { name: 'soil_name', linked: 'from its first term' },
  fields: {},
}

const testMethods: Vocabulary = {
  label: 'Test method',
  plural: 'Test methods',
  title: 'Farm Test Methods',
  description: 'How samples are tested',
  only: 'newer',
  fields: {},
}

/** Vocabularies by machine name; areas have a room of their own. */
export { areas as farm_areas } from '../areas/areas.ts'
export {
  animalTypes as farm_animal_types,
  cropFamilies as farm_crop_families,
  crops as farm_crops,
  equipmentTypes as equipment_type,
  labs as lab,
  logCategories as farm_log_categories,
  materials as farm_materials,
  productTypes as product_type,
  quantityUnits as farm_quantity_units,
  seasons as farm_season,
  soilNames as farm_soil_names,
  testMethods as test_method,
}
