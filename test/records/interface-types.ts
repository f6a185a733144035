import type { RecordType } from '../../src/farm/farm.ts'
import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import { asOlderFields } from '../../src/farm/older-fields.ts'
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

/** The fields of a bundle under the names that the record interface has for them. */
export const interfaceFields = (type: RecordType, bundle: string): Fields => asOlderFields(fieldsOfBundle(type, bundle))

const irregular: Readonly<Record<string, string>> = { tag: 'field_farm_animal_tag' }

/** What clients of the older internal interface call a field of a bundle. */
export const olderName = (name: string): string => irregular[name] ?? `field_farm_${name}`
