import { wordsOfKind } from '../../../farm/newer/area-kind.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { shown } from '../../../fields/place.ts'
import { draftGiven, type FieldDrafts, type Given } from './given.ts'

/** The type of an area tells what kind of asset it is; what the word does not tell is kept beside it. */
export function areaTypeDrafts(given: Given): FieldDrafts {
  const { farm, type, members, before } = given
  const [, vocabulary] = areaVocabulary(farm)
  const kind = type.kind ?? ''
  const words = wordsOfKind(farm, vocabulary, kind)
  const [only] = words
  const member = members.get('area type')
  // A kind without a field for it says all.
  if (member === undefined)
    return Object.keys(before).length === 0 && only !== undefined ? { area_type: only.value } : {}
  const word = draftGiven(given, 'area type')
  const choice = words.find(({ value, newer }) => value === word || newer === word)
  if (choice === undefined) {
    if (word !== undefined)
      member.place.fault(
        `${shown(word)} is not one of the allowed values`,
        words.map(({ value }) => value),
      )
    return { area_type: undefined }
  }
  const [first] = Object.keys(vocabulary.kinds ?? {})
  return { area_type: choice.value, kind: choice.kind === undefined && kind !== first ? kind : undefined }
}

export const drawnGeometryDrafts = (given: Given): FieldDrafts => {
  const wkt = draftGiven(given, 'drawn geometry')
  return { geofield: typeof wkt === 'string' ? [wkt] : undefined }
}
