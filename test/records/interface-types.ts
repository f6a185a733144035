import type { Bundle, Farm, RecordType } from '../../src/farm/farm.ts'
import { asOlderFields, fieldsOfBundle } from '../../src/farm/fields-of.ts'
import type { NamedType } from '../../src/farm/resource-names.ts'
import type { Fields } from '../../src/fields/field.ts'

/** What the record interface calls each type, said by the tests themselves: what clients know must not change. */
export const resourceOf = {
  log: 'log',
  asset: 'farm_asset',
  term: 'taxonomy_term',
  vocabulary: 'taxonomy_vocabulary',
  user: 'user',
  quantity: 'quantity',
} as const satisfies Readonly<Record<NamedType, string>>

/** A farm as the record interface has it where nobody ever used the newer one: its types, and the words of its lists. */
export const interfaceFarm = (farm: Farm): Farm => ({
  ...farm,
  records: {
    ...farm.records,
    log: withoutNewer(farm.records.log),
    asset: withoutNewer(farm.records.asset),
    term: withoutNewer(farm.records.term),
    quantity: farm.records.quantity,
  },
  lists: Object.fromEntries(
    Object.entries(farm.lists).map(([list, choices]) => [list, choices.filter(({ only }) => only === undefined)]),
  ),
})

const withoutNewer = <B extends Bundle>(type: RecordType<B>): RecordType<B> => ({
  ...type,
  bundles: Object.fromEntries(Object.entries(type.bundles).filter(([, { only }]) => only === undefined)),
})

/** The fields of a bundle under the names that the record interface has for them. */
export const interfaceFields = (type: RecordType, bundle: string): Fields => asOlderFields(fieldsOfBundle(type, bundle))

const irregular: Readonly<Record<string, string>> = { tag: 'field_farm_animal_tag' }

/** What clients of the older internal interface call a field of a bundle. */
export const olderName = (name: string): string => irregular[name] ?? `field_farm_${name}`
