import type { Values } from '../../fields/value.ts'
import type { Farm, RecordTypeName, Vocabulary } from '../farm.ts'
import { once } from '../fields-of.ts'
import { areaKindOf } from './area-assets.ts'
import type { ResourceType } from './resource-type.ts'
import { resourceTypes, typeOfBundle } from './resource-types.ts'

interface Which {
  readonly type: RecordTypeName
  readonly bundle: string
  /** The values of an area decide its asset type. */
  readonly values: Values
}

/** The resource type of a record; undefined if its module is gone. */
export function typeOfRecord(farm: Farm, { type, bundle, values }: Which): ResourceType | undefined {
  const vocabulary = type === 'term' ? farm.records.term.bundles[bundle] : undefined
  if (vocabulary?.kinds !== undefined) return resourceTypes(farm).get(`asset--${areaKindOf(farm, vocabulary, values)}`)
  return typeOfBundle(farm)(type, bundle)
}

export const isOfAreas = (farm: Farm, vocabulary: string): boolean => areaVocabulary(farm)[0] === vocabulary

/** The vocabulary whose terms are assets in /api. */
export const areaVocabulary = once((farm: Farm): readonly [string, Vocabulary] => {
  const found = Object.entries(farm.records.term.bundles).find(([, { kinds }]) => kinds !== undefined)
  if (found === undefined) throw new Error('The farm has no vocabulary of areas.')
  return found
})
