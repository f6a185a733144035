import { batch } from '@preact/signals'
import { withReferences } from './field-values.ts'
import { grouped } from './grouped.ts'
import { memory } from './memory.ts'
import type { Entry } from './outbox-entry.ts'
import {
  type CopyRow,
  isOnlyAName,
  type LocalRecord,
  type LocalRecordType,
  type RecordFields,
  rowOf,
} from './record.ts'
import { showMoves } from './stays.ts'
import { setFromWire } from './wire-record.ts'

/** Finds the record of a UUID, if it is known. */
export type Resolve = (uuid: string) => Pick<LocalRecord, 'id' | 'type' | 'name'> | undefined

/** Applies unsent entries to a record of the server; undefined when one removes it. */
export function overlayUnsent(
  ofServer: LocalRecord | undefined,
  entries: readonly Entry[],
  resolve: Resolve,
): LocalRecord | undefined {
  const shown = entries.reduce<LocalRecord | undefined>((record, entry) => applied(record, entry, resolve), ofServer)
  if (shown === undefined || entries.length === 0) return shown
  const isTrimmed = ofServer !== undefined && isOnlyAName(ofServer)
  return { ...shown, waiting: true, ...(isTrimmed ? { onlyName: true } : {}) }
}

function applied(record: LocalRecord | undefined, entry: Entry, resolve: Resolve): LocalRecord | undefined {
  if (entry.method === 'DELETE') return undefined
  if (entry.method === 'RESTORE') return record ?? asRead(entry)
  // The server has it already; only the answer was lost.
  if (entry.method === 'POST' && record !== undefined) return record
  return withFields(record ?? asRead(entry), entry.body, resolve)
}

/** The record that an entry started from: empty for a creation, else as it was read. */
function asRead({ record, type, id, bundle, tag, base, at }: Entry): LocalRecord {
  const { name = '', ...fields } = base ?? (type === 'term' ? {} : { created: String(at) })
  return { uuid: record, type, id, bundle, name: String(name), version: tag ?? '', fields }
}

/** Sets fields, converted from how they are written to how they are read. */
function withFields(record: LocalRecord, body: RecordFields, resolve: Resolve): LocalRecord {
  const fields: Record<string, unknown> = { ...record.fields }
  for (const [name, value] of Object.entries(body)) {
    delete fields[name]
    setFromWire(fields, name, shownValue(name, value, resolve))
  }
  return { ...record, name: typeof body.name === 'string' ? body.name : record.name, fields }
}

function shownValue(name: string, value: unknown, resolve: Resolve): unknown {
  if (name === 'done') return value === true || String(value) === '1' ? '1' : '0'
  if (typeof value === 'number') return String(value)
  return withReferences(value, (reference) => {
    if (typeof reference.uuid !== 'string') return reference
    const known = resolve(reference.uuid)
    const named = known?.type === 'term' ? known.name : reference.name
    return { id: known?.id ?? reference.uuid, ...(named === undefined ? {} : { name: named }) }
  })
}

interface RecordChange {
  readonly kept: readonly LocalRecord[]
  /** UUIDs. */
  readonly removed: readonly string[]
}

/** The entries of each record, in order, and the UUIDs of all records that they change or refer to. */
let entriesOf: ReadonlyMap<string, readonly Entry[]> = new Map()
let involved: ReadonlySet<string> = new Set()

export const isInOutbox = (uuid: string): boolean => entriesOf.has(uuid)

/** Shows committed records: one new map for each type that has changed. */
export function showChange({ kept, removed }: RecordChange): void {
  for (const uuid of removed) memory.ofServer.delete(uuid)
  for (const record of kept)
    if (record.type !== 'log' || entriesOf.has(record.uuid)) memory.ofServer.set(record.uuid, record)
  const uuids = [...removed, ...kept.map(({ uuid }) => uuid)]
  batch(() => {
    showNamed(uuids)
    if (uuids.some((uuid) => involved.has(uuid))) showUnsent()
    memory.generation.value += 1
  })
}

/** Shows all unsent entries; `logs` are the logs among their records as the server has them. */
export function showOutbox(entries: readonly Entry[], logs: readonly LocalRecord[]): void {
  const before = entriesOf
  entriesOf = grouped(entries, ({ record }) => record)
  involved = new Set(entries.flatMap(({ record, after }) => [record, ...after]))
  for (const log of logs) memory.ofServer.set(log.uuid, log)
  for (const uuid of memory.unsentLogs.keys()) if (!entriesOf.has(uuid)) memory.ofServer.delete(uuid)
  batch(() => {
    memory.outbox.value = entries
    showNamed([...before.keys()].filter((uuid) => !entriesOf.has(uuid)))
    showUnsent()
    memory.generation.value += 1
  })
}

function showUnsent(): void {
  const isLog = (uuid: string) => entriesOf.get(uuid)?.[0]?.type === 'log'
  showNamed([...entriesOf.keys()].filter((uuid) => !isLog(uuid)))
  const before = cachedRows
  cachedRows = new Map([...entriesOf.keys()].filter(isLog).map((uuid) => [uuid, rowFor(uuid, before.get(uuid))]))
  memory.unsentLogs = new Map([...cachedRows].map(([uuid, { row }]) => [uuid, row]))
  showMoves(memory.unsentLogs, (uuid) => memory.ofServer.get(uuid)?.id ?? entriesOf.get(uuid)?.[0]?.id)
}

/** A cached row with its inputs: with hundreds of entries waiting, one more computes only its own row. */
interface CachedRow {
  readonly row: CopyRow | null
  readonly ofServer: LocalRecord | undefined
  readonly cacheKey: string
}

let cachedRows: ReadonlyMap<string, CachedRow> = new Map()

function rowFor(uuid: string, before: CachedRow | undefined): CachedRow {
  const entries = entriesOf.get(uuid) ?? []
  const ofServer = memory.ofServer.get(uuid)
  const cacheKey = JSON.stringify(entries.map(({ n, method, body, after }) => [n, method, body, after.map(nameOf)]))
  if (before?.cacheKey === cacheKey && before.ofServer === ofServer) return before
  const log = shownNow(uuid)
  const [first] = entries
  return { row: log === undefined ? null : { ...rowOf(log), ...placeOf(log, first) }, ofServer, cacheKey }
}

function nameOf(uuid: string): unknown {
  const record = memory.byUuid.get(uuid)
  return [record?.id, record?.name]
}

/** Within a second, a log without a number sorts as the newest. */
const placeOf = ({ id, uuid }: LocalRecord, first: Entry | undefined) =>
  id === uuid ? { minusId: -(2 ** 52) - (first?.n ?? 0) } : {}

function shownNow(uuid: string): LocalRecord | undefined {
  return withUnsent(uuid, memory.ofServer.get(uuid))
}

/** A record of the server with its unsent entries applied. */
export function withUnsent(uuid: string, ofServer: LocalRecord | undefined): LocalRecord | undefined {
  return overlayUnsent(ofServer, entriesOf.get(uuid) ?? [], (other) => memory.byUuid.get(other))
}

/** Assets and terms. */
function showNamed(uuids: Iterable<string>): void {
  const shown = new Map<LocalRecordType, Map<string, LocalRecord>>()
  const mapOf = (type: LocalRecordType) => {
    const map = shown.get(type) ?? new Map(type === 'asset' ? memory.assets.value : memory.terms.value)
    shown.set(type, map)
    return map
  }
  for (const uuid of uuids) {
    const before = memory.byUuid.get(uuid)
    const now = shownNow(uuid)
    if (now?.type === 'log') continue
    if (before !== undefined && before.id !== now?.id) mapOf(before.type).delete(before.id)
    if (now === undefined) memory.byUuid.delete(uuid)
    else {
      mapOf(now.type).set(now.id, now)
      memory.byUuid.set(uuid, now)
    }
  }
  memory.assets.value = shown.get('asset') ?? memory.assets.value
  memory.terms.value = shown.get('term') ?? memory.terms.value
}

/** Forgets the records of the server; unsent entries stay visible. */
export function forgetRecords(): void {
  batch(() => {
    memory.byUuid.clear()
    memory.ofServer.clear()
    memory.assets.value = new Map()
    memory.terms.value = new Map()
    showUnsent()
    memory.generation.value += 1
  })
}
