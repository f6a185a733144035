import type { Bundle, Farm, RecordType, Vocabulary } from '../../src/farm/farm.ts'
import { asOlderFields, recordTypeNames } from '../../src/farm/fields-of.ts'
import { resourceNames } from '../../src/farm/resource-names.ts'
import type { ComputedRule, Field, FieldKind, FieldOf, Fields, ReferenceField } from '../../src/fields/field.ts'
import { plainSamples } from '../harness/kind-samples.ts'
import { interfaceFarm } from '../records/interface-types.ts'
import { fragmentOf } from './documentation.ts'

const introduction = `# Types and fields

Every type and field that a farm can record before a [module](modules.md) is installed, made from the catalogue in
\`src/farm/\`. [Concepts](concepts.md) explains the words, [the interface](interface.md#what-a-record-looks-like) how
values are written. Your own farm, with its modules, describes itself in \`/farm.json\` and at \`/docs/api\`.

*Name* is the name of a field in JSON and XML. *Required*: needed in a new record. *Set by the farm*: never written by
you. *Worked out from logs*: record a log to change it. A type's own section lists its differences.`

const sections: {
  readonly [T in (typeof recordTypeNames)[number]]: { readonly title: string; readonly about: string }
} = {
  log: { title: 'Logs', about: 'What happened, or is to happen' },
  asset: { title: 'Assets', about: 'What the farm has' },
  term: { title: 'Terms', about: 'Words that records refer to. Areas are terms, too' },
}

/** docs/types.md as it should be. */
export function typesPage(whole: Farm): string {
  const farm = inItsWords(whole)
  const parts = partsOf(farm)
  const lists = Object.keys(farm.lists).filter((list) => choosesFrom(farm, list))
  return `${[
    introduction,
    ...recordTypeNames.flatMap((name) => sectionOf(farm, name)),
    '## Parts\n\nA part belongs to its record and is written inside it.',
    ...parts.map(([name, part]) => `### ${partTitle(name, part.label)}\n\n${tableOf(farm, part.fields)}`),
    '## Words to choose from',
    ...lists.map((list) => `### ${listTitle(list)}\n\n${wordsOf(farm, list)}`),
  ].join('\n\n')}\n`
}

/** The farm as the record interface has it. */
function inItsWords(whole: Farm): Farm {
  const { records, ...farm } = interfaceFarm(whole)
  const { log, asset, term } = records
  return { ...farm, records: { ...records, log: older(log), asset: older(asset), term: older(term) } }
}

const older = <B extends Bundle>(type: RecordType<B>): RecordType<B> => ({
  ...type,
  properties: asOlderFields(type.properties),
  bundles: Object.fromEntries(
    Object.entries(type.bundles).map(([name, bundle]) => [name, { ...bundle, fields: asOlderFields(bundle.fields) }]),
  ),
})

function sectionOf(farm: Farm, name: (typeof recordTypeNames)[number]): string[] {
  const type: RecordType = farm.records[name]
  const { title, about } = sections[name]
  const shared = sharedFields(type)
  return [
    `## ${title}`,
    `${about}. They are read and written at \`/${resourceNames[name]}\`.`,
    `### What ${title.toLowerCase()} have in common`,
    tableOf(farm, { ...type.properties, ...shared }),
    ...Object.entries(type.bundles).map(([bundle, it]) => bundleOf(farm, [bundle, it], shared)),
  ]
}

function bundleOf(farm: Farm, [name, bundle]: readonly [string, Bundle], shared: Fields): string {
  const own = Object.entries(bundle.fields).filter(([field, it]) => !isSame(shared[field], it))
  const missing = Object.keys(shared).filter((field) => !(field in bundle.fields))
  return [
    `### ${titleOf(name, bundle)}`,
    own.length === 0 ? 'Nothing beyond what all have in common.' : tableOf(farm, Object.fromEntries(own)),
    ...(missing.length === 0 ? [] : [`It has no ${missing.map((field) => `\`${field}\``).join(' and no ')}.`]),
  ].join('\n\n')
}

const titleOf = (name: string, bundle: Bundle | Vocabulary): string => `${headOf(bundle)} (\`${name}\`)`

const headOf = (bundle: Bundle | Vocabulary): string => ('title' in bundle ? bundle.title : bundle.label)

/** What more than half of the bundles have in the same form. */
function sharedFields({ bundles }: RecordType): Fields {
  const all = Object.values(bundles)
  const candidates = all.flatMap(({ fields }) => Object.entries(fields))
  const isShared = ([name, field]: readonly [string, Field]) =>
    all.filter(({ fields }) => isSame(fields[name], field)).length * 2 > all.length
  return Object.fromEntries(candidates.filter(isShared))
}

const isSame = (one: Field | undefined, other: Field | undefined): boolean =>
  JSON.stringify({ ...one, newer: null }) === JSON.stringify({ ...other, newer: null })

const fieldsOfAll = (farm: Farm): readonly (readonly [string, Field])[] =>
  recordTypeNames
    .map((name): RecordType => farm.records[name])
    .flatMap(({ properties, bundles }) => [
      ...Object.entries(properties),
      ...Object.values(bundles).flatMap(({ fields }) => Object.entries(fields)),
    ])

const partsOf = (farm: Farm): readonly (readonly [string, FieldOf<'part'>])[] => [
  ...new Map(fieldsOfAll(farm).flatMap(([name, field]) => (field.kind === 'part' ? [[name, field] as const] : []))),
]

const choosesFrom = (farm: Farm, list: string): boolean =>
  [...fieldsOfAll(farm), ...partsOf(farm).flatMap(([, { fields }]) => Object.entries(fields))].some(
    ([, field]) => field.kind === 'choice' && field.list === list,
  )

function tableOf(farm: Farm, fields: Fields): string {
  const rows = Object.entries(fields).map(([name, field]) => {
    const { label } = field
    return `| ${label} | \`${name}\` | ${spelledValue(farm, name, field)} | ${notesOf(name, field)} |`
  })
  return ['| what | name | value | note |', '|---|---|---|---|', ...rows].join('\n')
}

const rulePages: { readonly [R in ComputedRule]: string } = {
  location: 'location',
  geometry: 'geometry',
  contents: 'area-contents',
  groups: 'membership',
  members: 'membership',
  inventory: 'inventory',
  withheld: 'withholding',
  'withheld-area': 'withholding',
}

function notesOf(name: string, { required, readOnly, computed, onRequest }: Field): string {
  const notes = [
    required ? 'required' : '',
    readOnly ? 'set by the farm' : '',
    computed === undefined ? '' : `[worked out from logs](rules/${rulePages[computed]}.md)`,
    onRequest ? `shown with \`?with=${name}\`` : '',
  ]
  return notes.filter((note) => note !== '').join(', ')
}

type InFarm<K extends FieldKind> = (field: FieldOf<K>, farm: Farm, name: string) => string

const values: { readonly [K in FieldKind]: InFarm<K> } = {
  ...plainSamples('page'),
  choice: ({ many, open, list }) =>
    `${many ? 'some' : 'one'} of the [${listTitle(list).toLowerCase()}](#${fragmentOf(listTitle(list))})${open ? ', or other words' : ''}`,
  reference: (field, farm) => referred(field, farm),
  attachment: ({ accepts }) => (accepts === 'image' ? 'photos' : 'files'),
  part: ({ many, label }, _farm, name) =>
    `${many ? 'parts' : 'a part'}: [${label}](#${fragmentOf(partTitle(name, label))})`,
}

/** The bundle of a record is a field, too, and chooses from the headings of its section. */
function spelledValue<K extends FieldKind>(farm: Farm, name: string, field: FieldOf<K>): string {
  if (name === 'type' && field.required) return 'the name of one of the types below'
  if (name === 'vocabulary') return 'the name or number of one of the vocabularies below'
  return values[field.kind as K](field, farm, name)
}

const partTitle = (name: string, label: string): string => `${label} (\`${name}\`)`

function referred({ to, within, many }: ReferenceField, farm: Farm): string {
  const [one, several] = nouns[to]
  const noun = many ? several : one
  if (within === undefined) return noun
  if (within === 'own') return `${noun} of the same vocabulary`
  const links = within.map((name) => linkTo(name, to === 'term' ? farm.records.term : farm.records.asset))
  return `${noun} ${to === 'term' ? 'from' : 'of type'} ${links.join(', ')}`
}

const nouns: Readonly<Record<ReferenceField['to'], readonly [string, string]>> = {
  log: ['a log', 'logs'],
  asset: ['an asset', 'assets'],
  term: ['a term', 'terms'],
  quantity: ['a quantity', 'quantities'],
  vocabulary: ['a vocabulary', 'vocabularies'],
  user: ['a person', 'people'],
}

function linkTo(name: string, type: RecordType): string {
  const bundle = type.bundles[name]
  return bundle === undefined ? name : `[${headOf(bundle)}](#${fragmentOf(titleOf(name, bundle))})`
}

const listTitle = (list: string): string => {
  const words = list.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function wordsOf(farm: Farm, list: string): string {
  const rows = (farm.lists[list] ?? []).map(({ value, label }) => `| \`${value}\` | ${label} |`)
  return ['| word | what |', '|---|---|', ...rows].join('\n')
}
