import { computed, type ReadonlySignal } from '@preact/signals'
import { listsIn, typesIn } from '../../src/words/labelled.ts'
import { chosen } from '../words/say.ts'
import { type LogQuery, readLogs } from './log-query.ts'
import { memory, type Records } from './memory.ts'
import { idsIn, recordOf } from './row.ts'
import type { Catalogue, KeptRecord, Me } from './types.ts'
import { isUnsent, unsentRows } from './unsent.ts'
import { isUuid } from './uuid.ts'

export type { LogQuery, Records }

export const me: ReadonlySignal<Me | null> = memory.me
/** With the labels that the language has for it. */
export const catalogue: ReadonlySignal<Catalogue | null> = computed(() => {
  const [own, labels] = [memory.catalogue.value, chosen.value?.labels]
  if (own === null || labels === undefined) return own
  return { ...own, types: typesIn(labels, own.types), lists: listsIn(labels, own.lists) }
})

/** All assets and all terms, by id. Of archived assets only name, type and UUID are kept. */
export const assets: ReadonlySignal<Records> = memory.assets
export const terms: ReadonlySignal<Records> = memory.terms

/** The names of the people of the farm, by uid. */
export const people: ReadonlySignal<ReadonlyMap<string, string>> = memory.people

/** Grows with every change of the copy: whoever has asked for logs asks again. */
export const generation: ReadonlySignal<number> = memory.generation

export function areas(): readonly KeptRecord[] {
  return [...memory.terms.value.values()].filter(({ bundle }) => bundle === 'farm_areas')
}

const areasByParent = computed(() => {
  const byParent = new Map<string, KeptRecord[]>()
  for (const area of areas())
    for (const parent of idsIn(area.fields.parent)) {
      const some = byParent.get(parent)
      if (some === undefined) byParent.set(parent, [area])
      else some.push(area)
    }
  return byParent
})

/** Those that lie directly in another. */
export const areasIn = (parent: string): readonly KeptRecord[] => areasByParent.value.get(parent) ?? []

/** Logs of the copy, the newest first. */
export async function logs(query: LogQuery): Promise<KeptRecord[]> {
  return memory.database === null ? [] : readLogs(memory.database, query)
}

export async function log(idOrUuid: string): Promise<KeptRecord | undefined> {
  const unsent = unsentRows().find(({ id, uuid }) => id === idOrUuid || uuid === idOrUuid)
  if (unsent !== undefined) return recordOf(unsent)
  const { database } = memory
  const row = isUuid(idOrUuid)
    ? await database?.get('record', idOrUuid)
    : await database?.getFromIndex('record', 'id', ['log', idOrUuid])
  return row?.type === 'log' && !isUnsent(row) ? recordOf(row) : undefined
}

export function assetBy(idOrUuid: string): KeptRecord | undefined {
  return isUuid(idOrUuid) ? ofType('asset', idOrUuid) : memory.assets.value.get(idOrUuid)
}

export function termBy(idOrUuid: string): KeptRecord | undefined {
  return isUuid(idOrUuid) ? ofType('term', idOrUuid) : memory.terms.value.get(idOrUuid)
}

function ofType(type: 'asset' | 'term', uuid: string): KeptRecord | undefined {
  const record = memory.byUuid.get(uuid)
  return record?.type === type ? record : undefined
}
