import { bundlesOf } from '../../look/names.ts'
import { catalogue } from '../../store/local-copy.ts'
import type { Kind } from './filters.ts'

export interface TypeChoice {
  readonly type: string
  readonly label: string
}

/** The types that records of a kind can have, in words. */
export function typesOf(kind: Kind): readonly TypeChoice[] {
  if (kind === 'areas') {
    return (catalogue.value?.lists.area_types ?? []).map(({ value, label }) => ({ type: value, label }))
  }
  const type = kind === 'logs' ? 'log' : kind === 'assets' ? 'asset' : 'term'
  return bundlesOf(type)
    .filter(({ bundle }) => bundle !== 'farm_areas')
    .map(({ bundle, plural }) => ({ type: bundle, label: plural }))
}
