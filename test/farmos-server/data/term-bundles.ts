import type { Bundle, Fields } from './bundle.ts'
import { files, geofield, images, period, term, terms, whole, word, words } from './fields.ts'

const vocabulary = (name: string, [label, plural]: readonly [string, string], fields: Fields = {}): Bundle => ({
  kind: 'taxonomy_term',
  name,
  label,
  plural,
  fields,
})

export const termBundles: readonly Bundle[] = [
  vocabulary('farm_areas', ['Area', 'Areas'], {
    area_type: word('Area type'),
    files: files('Files'),
    flags: words('Flags'),
    geofield: geofield('Geometry'),
    images: images('Photos'),
  }),
  vocabulary('farm_crops', ['Crop/variety', 'Crops/varieties'], {
    companions: terms('Companions'),
    crop_family: term('Crop family'),
    images: images('Photos'),
    maturity_days: whole('Days to maturity'),
    transplant_days: whole('Days to transplant'),
  }),
  vocabulary('farm_crop_families', ['Crop Family', 'Crop Families']),
  vocabulary('farm_log_categories', ['Log category', 'Log categories']),
  vocabulary('farm_animal_types', ['Type', 'Types']),
  vocabulary('farm_materials', ['Material', 'Materials']),
  vocabulary('farm_quantity_units', ['Quantity unit', 'Quantity units']),
  vocabulary('farm_season', ['Season', 'Seasons'], { date_range: period('Date Range') }),
  vocabulary('farm_soil_names', ['Soil name', 'Soil names']),
]
