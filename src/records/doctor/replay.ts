import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../../storage/database.ts'
import { inspectedPages, keptRows, rebuiltShape } from '../../storage/doctor/derived-row-checks.ts'
import { type DoctorFinding, type ReportFinding, rebuild, restoreBackup } from '../../storage/doctor/finding.ts'
import { type RebuiltTable, rebuiltTables } from '../../storage/rebuilding.ts'
import { quantityRowsOfLogs, type TakenRow } from '../../storage/records/quantity-rows.ts'
import { countRecordsOf } from '../../storage/records/record-lookup.ts'
import { isMalformed, type StoredRecord, unlessMalformed } from '../../storage/records/stored.ts'
import type { Report } from '../../storage/report.ts'
import { rebuiltFrom, unknownIn } from '../moving/consequences.ts'
import type { QuantityRecord } from '../quantities/quantity-record.ts'
import { quantitiesByIds } from '../quantities/reading.ts'
import { soundQuantities } from '../quantities/soundness.ts'

interface Watch {
  readonly farm: Farm
  readonly found: ReportFinding
  readonly report: Report
}

/** Works out again what follows from every record, and compares it with what is kept. Answers which cannot be read at all. */
export async function checkReplay(
  snapshot: Snapshot,
  type: RecordTypeName,
  { farm, found, report }: Watch,
): Promise<ReadonlySet<number>> {
  const unknown = new Map<string, number>()
  const unreadable = new Set<number>()
  const total = await countRecordsOf(snapshot, type)
  let done = 0
  for await (const { records, misnamed, ...page } of inspectedPages(snapshot, type)) {
    const [first, last] = [records[0]?.id ?? 0, records.at(-1)?.id ?? 0]
    const kept = byOwner(await keptRows(snapshot, { type, first, last }))
    for (const id of page.unreadable) {
      unreadable.add(id)
      found(cannotBeRead(type, id))
    }
    for (const id of misnamed) found(cannotBeFound(type, id))
    if (type === 'log') await checkQuantities(snapshot, records, found)
    for (const record of await withTheirTruth(snapshot, records)) {
      const stranger = unknownIn(farm, record)
      if (stranger === null) compare(record, { farm, kept, found })
      else unknown.set(stranger, (unknown.get(stranger) ?? 0) + 1)
    }
    done += records.length + page.unreadable.length
    report(type, done, total)
  }
  for (const [name, count] of unknown) found(knownByNoModule(name, count))
  return unreadable
}

const cannotBeRead = (type: RecordTypeName, id: number): DoctorFinding => ({
  what: `${type} ${id}: its fields cannot be read`,
  mend: restoreBackup,
  alike: 'records whose fields cannot be read',
})

const cannotBeFound = (type: RecordTypeName, id: number): DoctorFinding => ({
  what: `${type} ${id}: it cannot be found by its name`,
  mend: `save it again, or ${restoreBackup}`,
  alike: 'records that cannot be found by their names',
})

const knownByNoModule = (name: string, count: number): DoctorFinding => ({
  what: `No installed module knows ${name}, which ${count === 1 ? '1 record has' : `${count} records have`}`,
  mend: 'give the module with --module',
  alike: 'names that no installed module knows',
})

type KeptRow = Readonly<Record<string, unknown>>
type KeptByOwner = Readonly<Record<RebuiltTable, ReadonlyMap<unknown, readonly KeptRow[]>>>

function byOwner(kept: Readonly<Record<RebuiltTable, readonly KeptRow[]>>): KeptByOwner {
  const grouped = rebuiltTables.map((table) => {
    const owned = new Map<unknown, KeptRow[]>()
    for (const row of kept[table]) {
      const owner = row[rebuiltShape[table].owner]
      const those = owned.get(owner)
      if (those === undefined) owned.set(owner, [row])
      else those.push(row)
    }
    return [table, owned]
  })
  return Object.fromEntries(grouped)
}

interface Comparison {
  readonly farm: Farm
  readonly kept: KeptByOwner
  readonly found: ReportFinding
}

const words: Readonly<Record<RebuiltTable, string>> = {
  reference: 'what it refers to',
  facet: 'what it can be found by',
  stay: 'where its assets went',
  inventory_change: 'what it changed in the inventory',
}

function compare(record: StoredRecord, { farm, kept, found }: Comparison): void {
  const { type, id } = record
  const expected = unlessMalformed(() => rebuiltFrom(farm, record))
  if (expected === null) {
    found(cannotBeRead(type, id))
    return
  }
  for (const table of rebuiltTables) {
    const spelled = (rows: readonly KeptRow[]) =>
      rows
        .map((row) => JSON.stringify(rebuiltShape[table].columns.map((column) => row[column])))
        .sort()
        .join()
    if (spelled(expected[table] as readonly object[] as readonly KeptRow[]) === spelled(kept[table].get(id) ?? []))
      continue
    found({
      what: `${words[table]} is not kept as ${type} ${id} says (${table})`.replace(/^w/, 'W'),
      mend: rebuild,
      alike: `records of which something else is kept in ${table}`,
    })
  }
}

/** Every quantity of a log has a row that says where it stands, and no row stands for anything else. */
async function checkQuantities(snapshot: Snapshot, logs: readonly StoredRecord[], found: ReportFinding): Promise<void> {
  const rows = new Map<number, TakenRow[]>()
  const ids = logs.map(({ id }) => id)
  for (const row of await quantityRowsOfLogs(snapshot, ids)) {
    rows.set(row.log_id, [...(rows.get(row.log_id) ?? []), row])
  }
  for (const log of logs) {
    if (soundQuantities(log, rows.get(log.id) ?? []) !== null) continue
    found({
      what: `The quantities of log ${log.id} are not kept as it says (quantity)`,
      mend: rebuild,
      alike: 'logs whose quantities are not kept as they say',
    })
  }
}

/** Quantities that logs have, with what their logs say of them, where that can be read; all else as it is. */
async function withTheirTruth(snapshot: Snapshot, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
  const taken = records.filter(({ log }) => log !== undefined)
  if (taken.length === 0) return records
  const truth = await truthOf(snapshot, taken)
  return records.flatMap((record) => {
    if (record.log === undefined) return [record]
    const told = truth.get(record.id)
    return told === undefined ? [] : [{ ...record, values: told.values }]
  })
}

/** One by one where some of it cannot be read. */
async function truthOf(
  snapshot: Snapshot,
  taken: readonly StoredRecord[],
): Promise<ReadonlyMap<number, QuantityRecord>> {
  const ids = taken.map(({ id }) => id)
  const together = await readable(() => quantitiesByIds(snapshot, ids))
  if (together !== null) return together
  const found = new Map<number, QuantityRecord>()
  for (const id of ids) {
    const one = await readable(() => quantitiesByIds(snapshot, [id]))
    for (const [number, quantity] of one ?? []) found.set(number, quantity)
  }
  return found
}

async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}
