import type { Field, Fields } from '../fields/field.ts'
import type { Bundle, Choice, Farm, RecordType, Vocabulary } from './farm.ts'
import { fieldsOf } from './fields-of.ts'
import { notedMembers, ruledMembers } from './newer/members.ts'
import { families, resourceTypes } from './newer/resource-types.ts'
import { laterWords } from './query-words.ts'
import { stockFarm } from './stock-farm.ts'

/**
 * Renames modules' bundles and fields in /api where Furrow already uses the name there, so that neither the module nor
 * a client of /api gets the other's.
 */
export const withFreeNames = (farm: Farm): Farm => ({
  ...farm,
  records: {
    ...farm.records,
    log: freed(farm.records.log),
    asset: freed(farm.records.asset),
    term: freed(farm.records.term),
  },
  lists: Object.fromEntries(
    Object.entries(farm.lists).map(([list, choices]) => [list, choices.map(wordFreed(stockFarm.lists[list] ?? []))]),
  ),
})

/** A module whose assets have a field of such a word keeps it: nothing computed has that name there. */
export function withOwnWords(farm: Farm): Farm {
  const { asset } = farm.records
  const own = laterWords.filter((word) =>
    Object.values(asset.bundles).some(({ fields }) => Object.hasOwn(fields, word)),
  )
  if (own.length === 0) return farm
  const properties = Object.fromEntries(Object.entries(asset.properties).filter(([name]) => !own.includes(name)))
  return { ...farm, records: { ...farm.records, asset: { ...asset, properties } } }
}

/** The fields of modules that have words of the interface, as people know them: `asset planting.withheld`. */
export const laterWordsOfModules = (farm: Farm): readonly string[] =>
  Object.values(farm.records).flatMap((type: RecordType) =>
    Object.entries(type.bundles).flatMap(([name, { fields }]) =>
      laterWords.flatMap((word) => {
        const field = fields[word]
        return field === undefined || stockFields.has(field) ? [] : [`${type.name} ${name}.${word}`]
      }),
    ),
  )

const another = (name: string): string => `module_${name}`

function freed<B extends Bundle>(type: RecordType<B>): RecordType<B> {
  const bundles = Object.entries(type.bundles).map(([name, bundle]) => {
    const fields = fieldsFreed(bundle.fields, namesTaken(type, bundle))
    return [name, { ...bundle, fields, ...bundleFreed(type, name, bundle) }] as const
  })
  return { ...type, bundles: Object.fromEntries(bundles) }
}

function bundleFreed(type: RecordType, name: string, { newer }: Bundle): Pick<Bundle, 'newer'> {
  const own = type.name === 'asset' ? name : name.replace(/^farm_/, '')
  const isStock = Object.hasOwn(stockFarm.records[type.name].bundles, name)
  const isTaken = resourceTypes(stockFarm).has(`${families[type.name]}--${own}`)
  if (isStock || !isTaken || newer?.name !== undefined) return {}
  return { newer: { ...newer, name: another(own) } }
}

const fieldsFreed = (fields: Fields, taken: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const isFree = stockFields.has(field) || field.newer !== undefined || !taken.has(name)
      return [name, isFree ? field : { ...field, newer: { name: another(name) } }]
    }),
  )

const stockFields: ReadonlySet<Field> = new Set(
  Object.values(stockFarm.records).flatMap((type: RecordType) =>
    [type, ...Object.values(type.bundles)].flatMap((of) => Object.values('fields' in of ? of.fields : of.properties)),
  ),
)

/** Names that Furrow's own members use. */
function namesTaken(type: RecordType, bundle: Bundle | Vocabulary): ReadonlySet<string> {
  const fields = fieldsOf(type, bundle)
  const kinds = 'kinds' in bundle ? Object.values(bundle.kinds ?? {}) : []
  const family = kinds.length > 0 ? 'asset' : families[type.name]
  const areas = kinds.length > 0 ? kinds.map((area) => ({ area })) : [{}]
  const members = [...notedMembers({ family }), ...areas.flatMap((area) => ruledMembers({ family, fields, ...area }))]
  const called = Object.values(fields).flatMap((field) =>
    stockFields.has(field) ? [field.newer?.name ?? '', field.newer?.alias ?? ''] : [],
  )
  return new Set([...members.map(({ name }) => name), ...called])
}

/** Words that Furrow spells differently in /api. */
const wordFreed = (stock: readonly Choice[]) => (choice: Choice) =>
  stock.some(({ newer }) => newer === choice.value) && choice.newer === undefined && !stock.includes(choice)
    ? { ...choice, newer: another(choice.value) }
    : choice
