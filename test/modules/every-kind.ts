import { type Farm, type FarmModule, kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Fields } from '../../src/fields/field.ts'

const { choice, decimal, geometry, longText, period, reference, richText, text, timestamp, whole, yesNo } = kit

/** One field of each kind, and one with several values where a kind has them. */
const kinds: Fields = {
  a_text: text('Text'),
  a_texts: text('Texts', { many: true }),
  a_long_text: longText('Long text'),
  a_rich_text: richText('Rich text'),
  a_timestamp: timestamp('Timestamp'),
  a_period: period('Period'),
  a_yes_no: yesNo('Yes or no'),
  a_digit: yesNo('One or zero', { asDigit: true }),
  a_whole: whole('Whole', { min: -50, max: 50 }),
  a_decimal: decimal('Decimal'),
  a_choice: choice('Choice', 'tunes'),
  a_choices: choice('Choices', 'tunes', { many: true, open: true }),
  a_log: reference('Log', 'log', { within: ['farm_activity'] }),
  a_asset: reference('Asset', 'farm_asset'),
  a_assets: reference('Assets', 'farm_asset', { many: true, within: ['animal', 'equipment'] }),
  a_term: kit.termsOf('Term', 'farm_materials'),
  a_terms: kit.termsOf('Terms', 'farm_materials', { many: true }),
  a_user: reference('User', 'user'),
  a_vocabulary: reference('Vocabulary', 'taxonomy_vocabulary'),
  a_geometry: geometry('Geometry'),
  a_geometries: geometry('Geometries', { many: true }),
  a_file: kit.attachments('Files', 'any'),
  an_image: kit.attachments('Images', 'image'),
}

export const everyKind: Fields = {
  ...kinds,
  a_part: kit.part('Part', kinds),
  some_parts: kit.part(
    'Parts',
    { ...kinds, inner: kit.part('Part of a part', { a_text: text('Text') }) },
    { many: true },
  ),
}

/** Names that mean something on records of another type, or that look like a prefix. */
const namesakes: Fields = { archived: timestamp('Archived'), weight: decimal('Weight'), property_tax: decimal('Tax') }

/** A module that adds the same made-up fields to a log type, an asset type and a vocabulary of its own. */
export const fairground: FarmModule = (farm, given) => {
  const described = { label: 'Carousel', plural: 'Carousels' }
  const withTunes = given.withChoices(farm, 'tunes', [
    { value: 'waltz', label: 'Waltz' },
    { value: 'polka', label: 'Polka' },
  ])
  const withRides = given.withLogType(withTunes, 'carousel_ride', {
    ...described,
    fields: { ...given.standardLogFields, ...everyKind, ...namesakes },
  })
  const withCarousels = given.withAssetType(withRides, 'carousel', {
    ...described,
    fields: { ...given.standardAssetFields, ...everyKind, weight: namesakes.weight as Fields[string] },
  })
  return given.withVocabulary(withCarousels, 'carousel_words', {
    ...described,
    title: 'Carousel words',
    description: 'What is said at the fair',
    fields: everyKind,
    firstTerms: ['Hop on'],
  })
}

export const fairFarm = fairground(stockFarm, kit) as Farm

/** Whom the values refer to. */
export interface Targets {
  readonly log: string
  readonly animal: string
  readonly tractor: string
  readonly material: string
  readonly user: string
  readonly vid: string
}

export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const kindValues = ({ log, animal, tractor, material, user, vid }: Targets) => ({
  a_text: 'Quick Öl & <more>',
  a_texts: ['First one', 'second'],
  a_long_text: ' kept\nto the letter ',
  a_rich_text: { value: '<p>Rich</p>', format: 'farm_format' },
  a_timestamp: '1700000000',
  a_period: { value: '1600000000', value2: '1600086400' },
  a_yes_no: true,
  a_digit: '1',
  a_whole: '-7',
  a_decimal: '1.50',
  a_choice: 'waltz',
  a_choices: ['polka', 'slow foxtrot'],
  a_log: { id: log },
  a_asset: { id: tractor },
  a_assets: [{ id: animal }, { id: tractor }],
  a_term: { id: material },
  a_terms: [{ id: material }, { name: 'Sawdust' }],
  a_user: { id: user },
  a_vocabulary: { id: vid },
  a_geometry: 'POINT (7.10 50.2)',
  a_geometries: [{ geom: 'POINT (1 2)' }, { geom: 'LINESTRING (0 0, 1 1)' }],
  a_file: ['data:text/plain;base64,aGVsbG8='],
  an_image: [pixel],
})

export function everyValue(targets: Targets) {
  const values = kindValues(targets)
  return {
    ...values,
    a_part: values,
    some_parts: [{ ...values, inner: { a_text: 'deep' } }, { inner: { a_text: 'second' } }],
  }
}

/** What each field answers: operator and value, and whether the record with these values is found. */
export const questions = ({
  log,
  animal,
  tractor,
  material,
  user,
  vid,
}: Targets): Record<string, [string, boolean][]> => {
  const byId = (id: string): [string, boolean][] => [
    [`=${id}`, true],
    [`[id]=${id}`, true],
    ['=987654', false],
    [`[ne]=${id}`, false],
    ['[ne]=987654', true],
  ]
  const around = (below: string, value: string, above: string): [string, boolean][] => [
    [`=${value}`, true],
    [`=${above}`, false],
    [`[eq]=${value}`, true],
    [`[ne]=${value}`, false],
    [`[ne]=${above}`, true],
    [`[gt]=${below}`, true],
    [`[gt]=${value}`, false],
    [`[ge]=${value}`, true],
    [`[ge]=${above}`, false],
    [`[lt]=${above}`, true],
    [`[lt]=${value}`, false],
    [`[le]=${value}`, true],
    [`[le]=${below}`, false],
  ]
  const words = (value: string, [beginning, middle]: [string, string]): [string, boolean][] => [
    ...around('!', value, '~'),
    [`[sw]=${beginning}`, true],
    [`[sw]=${middle}`, false],
    [`[ct]=${middle}`, true],
    ['[ct]=nowhere', false],
  ]
  const encoded = encodeURIComponent
  return {
    a_text: words(encoded('quick öL & <more>'), ['QUICK', encoded('öl')]),
    a_texts: [
      ['=SECOND', true],
      ['=first%20one', true],
      ['=first', false],
      ['[sw]=sec', true],
      ['[ct]=econ', true],
      ['[ne]=second', false],
      ['[ne]=third', true],
      ['[]=third&@[]=second', true],
    ],
    a_long_text: [
      [`=${encoded(' kept\nto the letter ')}`, true],
      ['[ct]=letter', true],
      ['[sw]=letter', false],
    ],
    a_rich_text: [...words(encoded('<p>rich</p>'), [encoded('<p>'), 'Rich']), ['[value]=%3Cp%3ERich%3C/p%3E', true]],
    a_timestamp: around('1699999999', '1700000000', '1700000001'),
    a_period: around('1599999999', '1600000000', '1600000001'),
    a_yes_no: [
      ['=1', true],
      ['=true', true],
      ['=0', false],
      ['[ne]=0', true],
      ['[ne]=1', false],
    ],
    a_digit: [
      ['=1', true],
      ['=0', false],
    ],
    a_whole: around('-8', '-7', '6'),
    a_decimal: around('-1.6', '1.5', '10'),
    a_choice: words('WALTZ', ['wal', 'alt']),
    a_choices: [
      ['=polka', true],
      ['=slow%20foxtrot', true],
      ['=waltz', false],
      ['[ct]=fox', true],
    ],
    a_log: byId(log),
    a_asset: byId(tractor),
    a_assets: [...byId(tractor), ...byId(animal), [`[target_id]=${animal}`, true]],
    a_term: [...byId(material), ['=straw', true], ['=sawdust', false]],
    a_terms: [...byId(material), ['=Sawdust', true], ['[]=nothing&@[]=Straw', true]],
    a_user: byId(user),
    a_vocabulary: byId(vid),
    a_geometry: [
      ['=point%20(7.10%2050.2)', true],
      ['[sw]=POINT', true],
      ['[ct]=polygon', false],
    ],
    a_geometries: [
      ['=POINT%20(1%202)', true],
      ['[geom]=POINT%20(1%202)', true],
      ['[sw]=LINE', true],
    ],
    a_file: [['=987654', false]],
    an_image: [['=987654', false]],
  }
}

/** Operators that make no sense for a field, and values that are none. */
export const nonsense: Record<string, readonly string[]> = {
  a_timestamp: ['=yesterday', '[ct]=17'],
  a_period: ['=soon', '[sw]=1'],
  a_yes_no: ['[gt]=0', '=perhaps'],
  a_whole: ['=1.5', '[ct]=7', '=51'],
  a_decimal: ['=1e3', '[sw]=1'],
  a_log: ['[gt]=1', '=five'],
  a_asset: ['[ct]=1'],
  a_term: ['[le]=1'],
  a_user: ['=ada'],
  a_vocabulary: ['=farm_crops'],
  a_file: ['[gt]=1', '=photo.png'],
  a_part: ['=1', '[nothing]=1'],
  some_parts: ['=1', '[inner]=1'],
}

export const sortable = [
  'a_text',
  'a_long_text',
  'a_rich_text',
  'a_timestamp',
  'a_period',
  'a_whole',
  'a_decimal',
  'a_choice',
  'a_geometry',
  'a_yes_no',
]
export const unsortable = [
  'a_texts',
  'a_choices',
  'a_asset',
  'a_terms',
  'a_file',
  'a_part',
  'some_parts',
  'a_geometries',
]
