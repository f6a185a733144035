import { type Bundle, type Fields, required } from './bundle.ts'
import {
  assets,
  data,
  date,
  files,
  images,
  note,
  tags,
  term,
  terms,
  text,
  texts,
  word,
  words,
  yesNo,
} from './fields.ts'

const onEveryAsset: Fields = {
  description: note('Description'),
  files: files('Files'),
  flags: words('Flags'),
  images: images('Photos'),
  data: data('Data'),
}
const parent = assets('Parent(s)')

export const assetType = (name: string, [label, plural]: readonly [string, string], fields: Fields = {}): Bundle => ({
  kind: 'farm_asset',
  name,
  label,
  plural,
  fields: { ...onEveryAsset, ...fields },
})

export const assetBundles: readonly Bundle[] = [
  assetType('planting', ['Planting', 'Plantings'], {
    parent,
    crop: required(terms('Crop/variety')),
    season: terms('Season'),
  }),
  assetType('equipment', ['Equipment', 'Equipment'], {
    manufacturer: text('Manufacturer'),
    model: text('Model'),
    serial_number: text('Serial number'),
  }),
  assetType('group', ['Group', 'Groups'], { parent }),
  assetType('animal', ['Animal', 'Animals'], {
    parent,
    animal_castrated: yesNo('Castrated'),
    animal_nicknames: texts('Nickname(s)'),
    animal_sex: word('Sex'),
    animal_tag: tags('ID Tag(s)'),
    animal_type: required(term('Species/breed')),
    date: date('Date of birth'),
  }),
  { ...assetType('sensor', ['Sensor', 'Sensors']), undescribed: { sensor_type: null, sensor_settings: null } },
  assetType('compost', ['Compost', 'Compost'], { parent }),
]
