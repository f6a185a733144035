import { route } from '../look/router.ts'
import { assetBy, termBy, terms } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'

/** Subject of an entry in the address: `?asset=5,7&area=12`. */

export const chosenAssets = (): readonly LocalRecord[] => idsInQuery('asset').flatMap((id) => assetBy(id) ?? [])

export const chosenAreas = (): readonly LocalRecord[] =>
  idsInQuery('area')
    .flatMap((id) => termBy(id) ?? [])
    .filter(({ bundle }) => bundle === 'farm_areas')

/** An existing term, or the name of a new one. */
export type ChosenTerm = LocalRecord | { readonly name: string }

/** `?crop=12`, or by name: `?new=Leek`. The name of an existing term means that term. */
export function chosenTerm(parameter: string, vocabulary: string): ChosenTerm | undefined {
  const { query } = route.value
  const name = query.get('new') ?? ''
  const known = [...terms.value.values()].find((term) => term.bundle === vocabulary && term.name === name)
  return termBy(query.get(parameter) ?? '') ?? known ?? (name === '' ? undefined : { name })
}

function idsInQuery(key: 'asset' | 'area'): readonly string[] {
  const given = route.value.query.get(key) ?? ''
  return given.split(',').filter((id) => id !== '')
}

/** Ids for the address of the next step. */
export const idsOf = (records: readonly LocalRecord[]): string => records.map(({ id }) => id).join(',')

/** Query with the same assets and areas, for another entry. */
export function sameSubjectQuery(): string {
  const subject = new URLSearchParams()
  for (const name of ['asset', 'area']) {
    const value = route.value.query.get(name)
    if (value !== null) subject.set(name, value)
  }
  const text = subject.toString()
  return text === '' ? '' : `?${text}`
}
