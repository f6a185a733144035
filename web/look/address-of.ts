import { terms } from '../store/local-copy.ts'
import type { KeptRecord } from '../store/record.ts'

/** Where a record has its page, below `/app`. */
export function pageOf({ type, bundle, id }: Pick<KeptRecord, 'type' | 'bundle' | 'id'>): string {
  if (type === 'term') return bundle === 'farm_areas' ? `/area/${id}` : `/term/${id}`
  return `/${type}/${id}`
}

export const pageOfLog = (id: string): string => `/log/${id}`
export const pageOfAsset = (id: string): string => `/asset/${id}`
export const pageOfArea = (id: string): string => `/area/${id}`

export function pageOfTerm(id: string): string {
  return pageOf({ type: 'term', bundle: terms.value.get(id)?.bundle ?? '', id })
}
