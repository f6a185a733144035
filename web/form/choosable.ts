import { assets, terms } from '../store/local-copy.ts'
import { isArchived, type KeptRecord } from '../store/record.ts'
import { searchNames } from '../store/search.ts'

import type { Here } from './here.ts'
import { nearestOf } from './nearest.ts'

/** What a person may choose from; without bundles any of the type. */
export interface PickOf {
  readonly type: 'asset' | 'term'
  readonly bundles?: readonly string[] | undefined
}

/** Under which name the last choices are kept. */
export const usedAs = ({ type, bundles = [] }: PickOf): string => ['pick', type, ...bundles].join(' ')

function isChoosable(record: KeptRecord, { type, bundles }: PickOf): boolean {
  return record.type === type && (bundles === undefined || bundles.includes(record.bundle)) && !isArchived(record)
}

export function allOf(of: PickOf): readonly KeptRecord[] {
  const records = of.type === 'asset' ? assets.value : terms.value
  return [...records.values()].filter((record) => isChoosable(record, of)).sort(byName)
}

const byName = (one: KeptRecord, other: KeptRecord) => one.name.localeCompare(other.name, undefined, { numeric: true })

/** By name, tag or nickname. */
export function foundOf(of: PickOf, text: string): readonly KeptRecord[] {
  return searchNames(text, (record) => isChoosable(record, of))
}

interface Groups {
  readonly recent: readonly KeptRecord[]
  readonly near: readonly KeptRecord[]
  readonly others: readonly KeptRecord[]
}

const [mostRecent, mostNear] = [5, 5]

/** Each stands once: what was used last, then what is near, then the rest by name. */
export function grouped(all: readonly KeptRecord[], used: readonly string[], here: Here | null): Groups {
  const known = new Map(all.flatMap((record) => [[record.id, record] as const, [record.uuid, record] as const]))
  const recent = [...new Set(used.flatMap((id) => known.get(id) ?? []))].slice(0, mostRecent)
  const rest = all.filter((record) => !recent.includes(record))
  const near = here === null ? [] : nearestOf(rest, here).slice(0, mostNear)
  return { recent, near, others: near.length === 0 ? rest : rest.filter((record) => !near.includes(record)) }
}
