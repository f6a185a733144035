import { standardFields as standardAssetFields } from '../../src/farm/assets/standard-fields.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { olderFields } from '../../src/farm/fields-of.ts'
import { standardFields as standardLogFields } from '../../src/farm/logs/standard-fields.ts'
import { readDecimal } from '../../src/fields/exact-decimal.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import {
  type DescribedBundle,
  type DescribedField,
  describedBundles,
  type SourceType,
  sourceTypes,
} from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import { isFraction } from './source-values.ts'
import { foreignWords, type UnknownType } from './unknown-types.ts'
import {
  areExact,
  fieldsFound,
  isListFound,
  resourcesIn,
  valuesFound,
  vocabulariesIn,
  wordsFound,
} from './value-samples.ts'
import { oneLine } from './written-text.ts'

/**
 * A module (docs/modules.md) that declares the source's types and fields which this farm lacks; null if there are none.
 * Guesses are marked. Text of the source appears in quoted strings only.
 */
export function moduleFor(farm: Farm, reading: SourceFarm, unknown: readonly UnknownType[]): string | null {
  const lists = new Map<string, readonly string[]>()
  const guesses = new Guesses(farm, reading, lists)
  const steps = [
    ...bundlesIn(unknown, 'term').map((name) => guesses.bundle('term', name)),
    ...bundlesIn(unknown, 'asset').map((name) => guesses.bundle('asset', name)),
    ...bundlesIn(unknown, 'log').map((name) => guesses.bundle('log', name)),
    ...sourceTypes.flatMap((type) =>
      fieldsIn(unknown, type).map(([bundle, fields]) => guesses.fields(type, bundle, fields)),
    ),
  ]
  const choices = [
    ...[...lists].map(([list, words]) => choicesStep(list, words)),
    ...foreignWords(farm, reading).map(([list, words]) => choicesStep(list, words)),
  ]
  return moduleText([...choices, ...steps])
}

/** Lines that enlarge the farm by one thing. */
export type ModuleStep = readonly string[]

/** The text of a module; null without steps. */
export function moduleText(steps: readonly ModuleStep[]): string | null {
  if (steps.length === 0) return null
  return [
    '/**',
    ' * Types, fields and words of another farm, as its farmOS describes them and its records have them.',
    ' * Lines that end with "guessed" are worth a look.',
    ' *',
    " * @type {import('furrow').FarmModule}",
    ' */',
    'export default function movedIn(farm, kit) {',
    '  let larger = farm',
    ...steps.flat().map((line) => `  ${line}`),
    '  return larger',
    '}',
    '',
  ].join('\n')
}

const choicesStep = (list: string, words: readonly string[]): readonly string[] => [
  `larger = kit.withChoices(larger, ${quoted(list)}, [ // guessed: the words that were found`,
  ...words.map((word) => `  { value: ${quoted(word)}, label: ${quoted(word)} },`),
  '])',
]

const bundlesIn = (unknown: readonly UnknownType[], type: SourceType): readonly string[] =>
  unknown.filter((one) => one.type === type && one.field === undefined).map(({ bundle }) => bundle)

function fieldsIn(
  unknown: readonly UnknownType[],
  type: SourceType,
): readonly (readonly [string, readonly string[]])[] {
  const byBundle = new Map<string, string[]>()
  for (const { type: of, bundle, field } of unknown)
    if (of === type && field !== undefined) byBundle.set(bundle, [...(byBundle.get(bundle) ?? []), field])
  return [...byBundle]
}

/**
 * A JavaScript string literal. Characters that a terminal does not show are escaped; control characters become spaces.
 */
export const quoted = (text: string): string =>
  `'${oneLine(text)
    .replaceAll(/[\\']/g, '\\$&')
    .replaceAll(/[\p{C}\u2028\u2029]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)}'`

/** The name of a member. Written plainly, `__proto__` would set the prototype. */
export const keyed = (name: string): string => (name === '__proto__' ? `[${quoted(name)}]` : quoted(name))

export const adding: Readonly<Record<SourceType, { readonly bundle: string; readonly fields: string }>> = {
  log: { bundle: 'withLogType', fields: 'withLogFields' },
  asset: { bundle: 'withAssetType', fields: 'withAssetFields' },
  term: { bundle: 'withVocabulary', fields: 'withTermFields' },
}

/** Fields that every bundle of a type has. */
const standard: Readonly<Record<SourceType, { readonly names: readonly string[]; readonly line: readonly string[] }>> =
  {
    log: { names: Object.keys(standardLogFields), line: ['...kit.standardLogFields,'] },
    asset: { names: Object.keys(standardAssetFields), line: ['...kit.standardAssetFields,'] },
    term: { names: [], line: [] },
  }

/** Kinds with a single value here. Several values become texts. */
const single = new Set([
  ...['text_long', 'text_with_summary', 'number_integer', 'number_decimal', 'number_float', 'fraction', 'datestamp'],
  'list_boolean',
])

class Guesses {
  readonly #farm: Farm
  readonly #reading: SourceFarm
  readonly #lists: Map<string, readonly string[]>

  constructor(farm: Farm, reading: SourceFarm, lists: Map<string, readonly string[]>) {
    this.#farm = farm
    this.#reading = reading
    this.#lists = lists
  }

  bundle(type: SourceType, name: string): readonly string[] {
    const { label, plural, fields } = this.#described(type, name)
    const { names, line } = standard[type]
    const common = new Set([...names, ...olderFields(this.#farm.records[type].properties).keys(), 'parent'])
    const found = fieldsFound(this.#reading, type, name)
    const own = [...new Set([...fields.keys(), ...found])].filter((field) => !common.has(field))
    return [
      `larger = kit.${adding[type].bundle}(larger, ${quoted(name)}, {`,
      `  label: ${quoted(label)},`,
      `  plural: ${quoted(plural)},`,
      ...(type === 'term' ? this.#title(name).map((text) => `  ${text}`) : []),
      '  fields: {',
      ...line.map((text) => `    ${text}`),
      ...(type === 'asset' && fields.has('parent') ? ['    parent: kit.parent,'] : []),
      ...own.map((field) => `    ${this.#line(type, name, field)}`),
      '  },',
      '})',
    ]
  }

  fields(type: SourceType, bundle: string, fields: readonly string[]): readonly string[] {
    return [
      `larger = kit.${adding[type].fields}(larger, {`,
      ...fields.map((field) => `  ${this.#line(type, bundle, field)}`),
      `}, [${quoted(bundle)}])`,
    ]
  }

  #described(type: SourceType, name: string): DescribedBundle {
    return describedBundles(this.#reading, type).get(name) ?? { label: name, plural: name, fields: new Map() }
  }

  #title(name: string): readonly string[] {
    const vocabulary = [...this.#reading.vocabularies.all()].find(([, { machine_name }]) => machine_name === name)?.[1]
    const title = typeof vocabulary?.name === 'string' && vocabulary.name !== '' ? vocabulary.name : name
    const description = typeof vocabulary?.description === 'string' ? vocabulary.description : ''
    return [`title: ${quoted(title)},`, `description: ${quoted(description || title)},`]
  }

  #line(type: SourceType, bundle: string, field: string): string {
    const described = this.#described(type, bundle).fields.get(field)
    const values = valuesFound(this.#reading, type, field)
    const isMany = described?.isMany === true || isListFound(this.#reading, type, field)
    const own = { ...(described ?? { label: field, type: '', template: undefined }), isMany }
    const { word, guessed } = this.#word(field, own, values)
    return `${keyed(field)}: ${word},${guessed || described?.isMany !== isMany ? ' // guessed' : ''}`
  }

  #word(name: string, field: DescribedField, values: readonly unknown[]): Word {
    const label = quoted(field.label)
    const many = field.isMany ? ', { many: true }' : ''
    if (field.isMany && single.has(field.type)) return guess(`kit.text(${label}${many})`)
    switch (field.type) {
      case 'text':
        return sure(`kit.text(${label}${many})`)
      case 'text_long':
      case 'text_with_summary':
        return sure(isTree(field.template) ? `kit.richText(${label})` : `kit.longText(${label})`)
      case 'number_integer':
        return sure(`kit.whole(${label})`)
      case 'number_decimal':
      case 'number_float':
        return sure(`kit.decimal(${label})`)
      case 'fraction':
        return areExact(values) ? guess(`kit.decimal(${label})`) : guess(`kit.text(${label})`)
      case 'datestamp':
        return values.some((value) => isTree(value) && 'value2' in value)
          ? guess(`kit.period(${label})`)
          : sure(`kit.timestamp(${label})`)
      case 'list_boolean':
        return sure(`kit.yesNo(${label})`)
      case 'list_text':
        return this.#choice(name, field, values)
      case 'geofield':
        return sure(`kit.geometry(${label}${many})`)
      case 'file':
      case 'image': {
        const files = `kit.attachments(${label}, ${field.type === 'file' ? "'any'" : "'image'"})`
        // Files are always a list here.
        return field.isMany ? sure(files) : guess(files)
      }
      case 'taxonomy_term_reference':
        return this.#terms(name, field, values)
      case 'entityreference':
        return guess(`kit.reference(${label}, ${quoted(resourcesIn(values)[0] ?? 'farm_asset')}${many})`)
      case 'field_collection':
        return this.#part(name, field, values)
      default:
        return this.#fromValues(name, field, values)
    }
  }

  #choice(name: string, { label, isMany }: DescribedField, values: readonly unknown[]): Word {
    const list = `moved_in_${name}`
    this.#lists.set(list, [...new Set([...(this.#lists.get(list) ?? []), ...wordsFound(values)])])
    return guess(`kit.choice(${quoted(label)}, ${quoted(list)}, { open: true${isMany ? ', many: true' : ''} })`)
  }

  #terms(name: string, { label, isMany }: DescribedField, values: readonly unknown[]): Word {
    const known = [...describedBundles(this.#reading, 'term').keys()]
    const vocabulary =
      vocabulariesIn(this.#reading, values)[0] ??
      known.find((one) => [name, `${name}s`, `farm_${name}`, `farm_${name}s`].includes(one)) ??
      Object.keys(this.#farm.records.term.bundles)[0] ??
      ''
    return guess(`kit.termsOf(${quoted(label)}, ${quoted(vocabulary)}${isMany ? ', { many: true }' : ''})`)
  }

  #part(name: string, { label, isMany, template }: DescribedField, values: readonly unknown[]): Word {
    const items = values.filter(isTree)
    const names = new Set([
      ...Object.keys(isTree(template) ? template : {}),
      ...items.flatMap((item) => Object.keys(item)),
    ])
    const fields = [...names].map((inside) => {
      const found = items.flatMap((item: Tree) => (item[inside] === false ? [] : [item[inside]].flat()))
      const isList = items.some((item: Tree) => Array.isArray(item[inside]))
      const own = { label: inside, type: '', isMany: isList, template: undefined }
      return `${keyed(inside)}: ${this.#fromValues(`${name}_${inside}`, own, found).word}`
    })
    if (fields.length === 0) return guess(`kit.longText(${quoted(label)})`)
    return guess(`kit.part(${quoted(label)}, { ${fields.join(', ')} }${isMany ? ', { many: true }' : ''})`)
  }

  /** For a field without a description, guesses the kind from its values. */
  #fromValues(name: string, field: DescribedField, all: readonly unknown[]): Word {
    const values = all.filter((value) => value !== null && value !== undefined && value !== '')
    const label = quoted(field.label)
    const many = field.isMany ? ', { many: true }' : ''
    const every = (isSo: (value: unknown) => boolean) => values.length > 0 && values.every(isSo)
    if (!field.isMany && every((value) => typeof value === 'boolean')) return guess(`kit.yesNo(${label})`)
    if (every((value) => isTree(value) && typeof value.resource === 'string')) {
      const [resource = ''] = resourcesIn(values)
      return resource === 'taxonomy_term'
        ? this.#terms(name, field, values)
        : guess(`kit.reference(${label}, ${quoted(resource)}${many})`)
    }
    if (every(isFraction))
      return guess(areExact(values) && !field.isMany ? `kit.decimal(${label})` : `kit.text(${label}${many})`)
    if (
      !field.isMany &&
      every((value) => typeof value === 'number' || (typeof value === 'string' && readDecimal(value) !== undefined))
    )
      return guess(`kit.decimal(${label})`)
    if (every((value) => isTree(value) && 'geom' in value)) return guess(`kit.geometry(${label}, { many: true })`)
    if (!field.isMany && every((value) => isTree(value) && 'format' in value)) return guess(`kit.richText(${label})`)
    return values.some((value) => typeof value === 'object') && !field.isMany
      ? guess(`kit.longText(${label})`)
      : guess(`kit.text(${label}${many})`)
  }
}

interface Word {
  readonly word: string
  readonly guessed: boolean
}

const sure = (word: string): Word => ({ word, guessed: false })
const guess = (word: string): Word => ({ word, guessed: true })
