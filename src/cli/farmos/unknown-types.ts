import type { Farm } from '../../farm/farm.ts'
import { fieldsOf } from '../../farm/fields-of.ts'
import { isOnlyNewer, olderFields } from '../../farm/older-fields.ts'
import { Refusal } from '../../refusal.ts'
import { bundleOf, describedBundles, vocabularyNames } from './description.ts'
import { type ReadType, readTypes } from './kinds.ts'
import { printable } from './printable.ts'
import type { OtherFarm } from './reading.ts'
import { hasContent } from './translation.ts'

/** A log type, asset type or vocabulary, or a field of one, that this farm does not have. */
export interface Unknown {
  readonly type: ReadType
  readonly bundle: string
  /** Undefined for the whole bundle. */
  readonly field?: string
  /** How many records have it. */
  readonly records: number
}

const words: Readonly<Record<ReadType, string>> = { log: 'log type', asset: 'asset type', term: 'vocabulary' }

/** What the other server describes, or its records have, and this farm does not know. */
export function unknownTo(farm: Farm, reading: OtherFarm): readonly Unknown[] {
  const names = vocabularyNames(reading)
  return readTypes.flatMap((type) => {
    const found = new Map<string, Unknown>()
    const count = (what: Pick<Unknown, 'bundle' | 'field'>, more: number) => {
      const key = JSON.stringify([what.bundle, what.field])
      found.set(key, { type, ...what, records: (found.get(key)?.records ?? 0) + more })
    }
    for (const [bundle, { fields }] of describedBundles(reading, type)) {
      const known = knownFields(farm, type, bundle)
      if (known === undefined) count({ bundle }, 0)
      for (const field of fields.keys()) if (known?.has(field) === false) count({ bundle, field }, 0)
    }
    for (const [, record] of reading.records[type].all()) {
      const bundle = bundleOf(type, record, names) ?? ''
      const known = knownFields(farm, type, bundle)
      if (known === undefined) count({ bundle }, 1)
      for (const [field, value] of Object.entries(record))
        if (known?.has(field) === false && hasContent(field, value)) count({ bundle, field }, 1)
    }
    return [...found.values()]
  })
}

/** The fields that records of a bundle have here, by the names that the other server has for them. */
function knownFields(farm: Farm, type: ReadType, name: string): { has(field: string): boolean } | undefined {
  const { bundles } = farm.records[type]
  const bundle = Object.hasOwn(bundles, name) ? bundles[name] : undefined
  if (bundle === undefined || isOnlyNewer(bundle)) return bundle && olderFields(fieldsOf(farm.records[type], bundle))
  return olderFields(fieldsOf(farm.records[type], bundle))
}

/** Nothing that there are records of may be left behind. */
export function refuseUnknown(unknown: readonly Unknown[], advice: string): void {
  const used = unknown.filter(({ records }) => records > 0)
  if (used.length === 0) return
  throw new Refusal(
    'invalid-content',
    `This farm does not know ${used.length === 1 ? 'this' : 'these'} of the other one, and nothing was changed. ${advice}`,
    {
      faults: used.map(({ type, bundle, field, records }) => ({
        field: printable(field === undefined ? `${words[type]} ${bundle}` : `field ${field} of ${bundle}`),
        message: `${records.toLocaleString('en')} ${records === 1 ? 'record has' : 'records have'} it`,
      })),
    },
  )
}
