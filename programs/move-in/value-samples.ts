import { exactDecimal } from '../../src/fields/fraction.ts'
import { isTree } from '../../src/fields/place.ts'
import { bundleOf, idIn, type SourceType, vocabularyNames } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import { fractionOf, isEmpty, isFraction } from './source-values.ts'
import { hasContent } from './translation.ts'
import { oneLine } from './written-text.ts'

/** The values of a field, one by one: a name has one kind in all bundles. */
export function valuesFound(reading: SourceFarm, type: SourceType, field: string): readonly unknown[] {
  const found: unknown[] = []
  for (const [, record] of reading.records[type].all()) {
    const value = record[field]
    if (!isEmpty(value)) found.push(...(Array.isArray(value) ? value : [value]))
  }
  return found
}

/** True if a record has several values in a field, or a list of one. */
export function isListFound(reading: SourceFarm, type: SourceType, field: string): boolean {
  for (const [, record] of reading.records[type].all()) {
    const value = record[field]
    if (Array.isArray(value) && !isEmpty(value)) return true
  }
  return false
}

/** Fields with a value in some record of a bundle. */
export function fieldsFound(reading: SourceFarm, type: SourceType, bundle: string): readonly string[] {
  const names = vocabularyNames(reading)
  const found = new Set<string>()
  for (const [, record] of reading.records[type].all()) {
    if (bundleOf(type, record, names) !== bundle) continue
    for (const [field, value] of Object.entries(record)) if (hasContent(field, value)) found.add(field)
  }
  return [...found]
}

/** Types that references point to. */
export const resourcesIn = (values: readonly unknown[]): readonly string[] => [
  ...new Set(values.flatMap((value) => (isTree(value) && typeof value.resource === 'string' ? [value.resource] : []))),
]

/** The vocabularies of referenced terms. */
export function vocabulariesIn(reading: SourceFarm, values: readonly unknown[]): readonly string[] {
  const names = vocabularyNames(reading)
  const found = values.flatMap((value) => {
    const term = reading.records.term.get(idIn(value) ?? 0)
    return term === undefined ? [] : (bundleOf('term', term, names) ?? [])
  })
  return [...new Set(found)]
}

export const wordsFound = (values: readonly unknown[]): readonly string[] =>
  [
    ...new Set(values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [oneLine(value)] : []))),
  ].sort()

/** True if every fraction among them is an exact decimal. */
export const areExact = (values: readonly unknown[]): boolean =>
  values.filter(isFraction).every((value) => exactDecimal(fractionOf(value)) !== undefined)
