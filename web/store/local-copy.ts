import { computed, type ReadonlySignal } from '@preact/signals'
import { isUuid } from '../../src/client/changes.ts'
import { listsIn, typesIn } from '../../src/words/labelled.ts'
import { translation } from '../words/say.ts'
import type { CopyDatabase } from './database.ts'
import { isUnsent, memory, type RecordMap, unsentRows } from './memory.ts'
import {
  areaRef,
  areasNamedIn,
  assetRef,
  assetsNamedIn,
  type CatalogueDocument,
  type CopyRow,
  flaggedRef,
  idsIn,
  isArea,
  isDone,
  type LocalRecord,
  type Me,
  pendingRef,
  recordOf,
  withheldRef,
} from './record.ts'

export const me: ReadonlySignal<Me | null> = memory.me
/** The catalogue with labels of the current language. */
export const catalogue: ReadonlySignal<CatalogueDocument | null> = computed(() => {
  const [own, labels] = [memory.catalogue.value, translation.value?.labels]
  if (own === null || labels === undefined) return own
  return { ...own, types: typesIn(labels, own.types), lists: listsIn(labels, own.lists) }
})

/** Assets and terms by id. Archived assets have only name, type and UUID. */
export const assets: ReadonlySignal<RecordMap> = memory.assets
export const terms: ReadonlySignal<RecordMap> = memory.terms

/** Names of accounts, by uid. */
export const people: ReadonlySignal<ReadonlyMap<string, string>> = memory.people

/** Increases with every change of the copy: readers of logs read again. */
export const generation: ReadonlySignal<number> = memory.generation

export function areas(): readonly LocalRecord[] {
  return [...memory.terms.value.values()].filter(isArea)
}

const areasByParent = computed(() => {
  const byParent = new Map<string, LocalRecord[]>()
  for (const area of areas())
    for (const parent of idsIn(area.fields.parent)) {
      const some = byParent.get(parent)
      if (some === undefined) byParent.set(parent, [area])
      else some.push(area)
    }
  return byParent
})

/** Direct children of an area. */
export const areasIn = (parent: string): readonly LocalRecord[] => areasByParent.value.get(parent) ?? []

/** Logs of the copy, the newest first. */
export async function logs(query: LogQuery): Promise<LocalRecord[]> {
  return memory.database === null ? [] : readLogs(memory.database, query)
}

export async function log(idOrUuid: string): Promise<LocalRecord | undefined> {
  const unsent = unsentRows().find(({ id, uuid }) => id === idOrUuid || uuid === idOrUuid)
  if (unsent !== undefined) return recordOf(unsent)
  const { database } = memory
  const row = isUuid(idOrUuid)
    ? await database?.get('record', idOrUuid)
    : await database?.getFromIndex('record', 'id', ['log', idOrUuid])
  return row?.type === 'log' && !isUnsent(row) ? recordOf(row) : undefined
}

/** Reads the signal also for a UUID: a record gets its number when it is sent. */
export function assetBy(idOrUuid: string): LocalRecord | undefined {
  const all = memory.assets.value
  return isUuid(idOrUuid) ? ofType('asset', idOrUuid) : all.get(idOrUuid)
}

export function termBy(idOrUuid: string): LocalRecord | undefined {
  const all = memory.terms.value
  return isUuid(idOrUuid) ? ofType('term', idOrUuid) : all.get(idOrUuid)
}

function ofType(type: 'asset' | 'term', uuid: string): LocalRecord | undefined {
  const record = memory.byUuid.get(uuid)
  return record?.type === type ? record : undefined
}

export interface LogQuery {
  /** Logs that name any of these assets. */
  readonly asset?: string | readonly string[]
  /** Logs that name any of these areas, as place or as destination. */
  readonly area?: string | readonly string[]
  readonly bundles?: readonly string[]
  readonly done?: boolean
  readonly flagged?: true
  /** Logs that may withhold something. */
  readonly withholding?: true
  /** Logs with this flag. */
  readonly flag?: string
  /** Unix seconds: `from` is inclusive, `before` exclusive. */
  readonly from?: number
  readonly before?: number
  readonly limit: number
}

interface Walk {
  readonly index: 'ref' | 'bundle' | 'time'
  readonly prefix: readonly string[]
}

const page = 200

/** Merges the newest logs of each index walk with unsent ones. */
async function readLogs(database: CopyDatabase, query: LogQuery): Promise<LocalRecord[]> {
  const found = await Promise.all(walksOf(query).map((walk) => rowsOf(database, walk, query)))
  const rows = new Map([...found.flat(), ...unsentOf(query)].map((row) => [row.uuid, row]))
  return [...rows.values()].sort(newestFirst).slice(0, query.limit).map(recordOf)
}

function unsentOf(query: LogQuery): CopyRow[] {
  const { from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = query
  const isWithin = (row: CopyRow) => -row.minusTime >= from && -row.minusTime < before
  return unsentRows().filter((row) => isWithin(row) && matches(row, query))
}

const newestFirst = (one: CopyRow, other: CopyRow) => one.minusTime - other.minusTime || one.minusId - other.minusId

function walksOf({ asset, area, bundles, done, flagged, flag, withholding }: LogQuery): Walk[] {
  const byRef = (ref: string): Walk => ({ index: 'ref', prefix: [ref] })
  if (asset !== undefined) return [asset].flat().map((id) => byRef(assetRef(id)))
  if (area !== undefined) return [area].flat().map((id) => byRef(areaRef(id)))
  if (done === false) return [byRef(pendingRef)]
  if (withholding) return [byRef(withheldRef)]
  if (flagged || flag !== undefined) return [byRef(flaggedRef)]
  if (bundles !== undefined) return bundles.map((bundle) => ({ index: 'bundle', prefix: ['log', bundle] }))
  return [{ index: 'time', prefix: ['log'] }]
}

async function rowsOf(database: CopyDatabase, walk: Walk, query: LogQuery): Promise<CopyRow[]> {
  const found: CopyRow[] = []
  let behind: CopyRow | undefined
  for (;;) {
    const rows = await database.getAllFromIndex('record', walk.index, rangeOf(walk, query, behind), page)
    found.push(...rows.filter((row) => !isUnsent(row) && matches(row, query)))
    behind = rows[page - 1]
    if (behind === undefined || found.length >= query.limit) return found
  }
}

/** The index has negative times and ids, so 1 sorts after all ids of a second. */
function rangeOf({ prefix }: Walk, { from, before }: LogQuery, behind: CopyRow | undefined): IDBKeyRange {
  const first = behind === undefined ? (before === undefined ? [] : [-before, 1]) : [behind.minusTime, behind.minusId]
  const last = from === undefined ? [[]] : [-from, 1]
  return IDBKeyRange.bound([...prefix, ...first], [...prefix, ...last], true)
}

function matches(row: CopyRow, { asset, area, bundles, done, flagged, flag }: LogQuery): boolean {
  return (
    (asset === undefined || any([asset].flat(), assetsNamedIn(row))) &&
    (area === undefined || any([area].flat(), areasNamedIn(row))) &&
    (bundles === undefined || bundles.includes(row.bundle)) &&
    (done === undefined || done === isDone(row)) &&
    (flagged === undefined || row.fields.flags !== undefined) &&
    (flag === undefined || (Array.isArray(row.fields.flags) && row.fields.flags.includes(flag)))
  )
}

const any = (wanted: readonly string[], named: readonly string[]) => wanted.some((id) => named.includes(id))

/** The farm that this one is a trial beside: its host, and whether recording is off here. Null if this is no trial. */
export function trialBeside(): { readonly farm: string; readonly isOff: boolean } | null {
  const trial = me.value?.trial
  return trial ? { farm: new URL(trial.address).host, isOff: !trial.recording } : null
}

/** True if the account may create, change and remove records. */
export const mayWrite = (): boolean =>
  (me.value?.rights.includes('write-records') ?? false) && trialBeside()?.isOff !== true
