import type { CopyDatabase } from './database.ts'
import {
  areaRef,
  areasNamedIn,
  assetRef,
  assetsNamedIn,
  flaggedRef,
  isDone,
  pendingRef,
  type Row,
  recordOf,
} from './row.ts'
import type { KeptRecord } from './types.ts'
import { isUnsent, unsentRows } from './unsent.ts'

export interface LogQuery {
  /** Logs that name this asset; of several, any of them. */
  readonly asset?: string | readonly string[]
  /** Logs that name this area, as where it happened or where it moved to; of several, any of them. */
  readonly area?: string | readonly string[]
  readonly bundles?: readonly string[]
  readonly done?: boolean
  readonly flagged?: true
  /** Logs that bear this flag. */
  readonly flag?: string
  /** Unix seconds: from this one on, and before that one. */
  readonly from?: number
  readonly before?: number
  readonly limit: number
}

interface Walk {
  readonly index: 'ref' | 'bundle' | 'time'
  readonly prefix: readonly string[]
}

const page = 200

/** Each walk gives its newest; merged, and with what is not sent yet, the newest of all. */
export async function readLogs(database: CopyDatabase, query: LogQuery): Promise<KeptRecord[]> {
  const found = await Promise.all(walksOf(query).map((walk) => rowsOf(database, walk, query)))
  const rows = new Map([...found.flat(), ...unsentOf(query)].map((row) => [row.uuid, row]))
  return [...rows.values()].sort(newestFirst).slice(0, query.limit).map(recordOf)
}

function unsentOf(query: LogQuery): Row[] {
  const { from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = query
  const isWithin = (row: Row) => -row.minusTime >= from && -row.minusTime < before
  return unsentRows().filter((row) => isWithin(row) && matches(row, query))
}

const newestFirst = (one: Row, other: Row) => one.minusTime - other.minusTime || one.minusId - other.minusId

function walksOf({ asset, area, bundles, done, flagged, flag }: LogQuery): Walk[] {
  const byRef = (ref: string): Walk => ({ index: 'ref', prefix: [ref] })
  if (asset !== undefined) return [asset].flat().map((id) => byRef(assetRef(id)))
  if (area !== undefined) return [area].flat().map((id) => byRef(areaRef(id)))
  if (done === false) return [byRef(pendingRef)]
  if (flagged || flag !== undefined) return [byRef(flaggedRef)]
  if (bundles !== undefined) return bundles.map((bundle) => ({ index: 'bundle', prefix: ['log', bundle] }))
  return [{ index: 'time', prefix: ['log'] }]
}

async function rowsOf(database: CopyDatabase, walk: Walk, query: LogQuery): Promise<Row[]> {
  const found: Row[] = []
  let behind: Row | undefined
  for (;;) {
    const rows = await database.getAllFromIndex('record', walk.index, rangeOf(walk, query, behind), page)
    found.push(...rows.filter((row) => !isUnsent(row) && matches(row, query)))
    behind = rows[page - 1]
    if (behind === undefined || found.length >= query.limit) return found
  }
}

/** Times are negative in the index; ids too, so 1 is behind all that have the same time. */
function rangeOf({ prefix }: Walk, { from, before }: LogQuery, behind: Row | undefined): IDBKeyRange {
  const first = behind === undefined ? (before === undefined ? [] : [-before, 1]) : [behind.minusTime, behind.minusId]
  const last = from === undefined ? [[]] : [-from, 1]
  return IDBKeyRange.bound([...prefix, ...first], [...prefix, ...last], true)
}

function matches(row: Row, { asset, area, bundles, done, flagged, flag }: LogQuery): boolean {
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
