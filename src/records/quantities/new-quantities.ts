import type { Farm } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import { claimIdentities, type Identity, identitiesOf, markThere, type NewIdentity } from '../../storage/identity.ts'
import { latestRevisions, toldBy, writeJournal } from '../../storage/journal.ts'
import { referenceRows, reindex } from '../../storage/records/index-rows.ts'
import {
  changeQuantity,
  earlierMaterialUuid,
  insertQuantities,
  lockQuantities,
  materialUuid,
  type QuantityRecordRow,
  type TakenRow,
} from '../../storage/records/quantity-rows.ts'
import type { RecordToStore, StoredRecord } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { drawQuantityNumbers, insertAll } from '../../storage/sql/insertion.ts'
import type { ReferenceRow } from '../../storage/sql/tables.ts'
import { indexOf } from '../record-index.ts'
import {
  asTaken,
  hasQuantities,
  indexOfTaken,
  type NamedQuantity,
  type QuantityInLog,
  quantitiesIn,
  takenRow,
  termsIn,
} from './quantities-of-log.ts'

/** Quantities that a log newly has. */
interface AddedQuantities {
  readonly log: StoredRecord
  readonly quantities: readonly NamedQuantity[]
  readonly set: ChangeSet
  readonly at: number
}

/** Gives every quantity its UUID: a material of which a log says nothing more has one that follows from the log. */
export async function withUuids(
  tx: Transaction,
  log: Pick<StoredRecord, 'uuid'>,
  quantities: readonly QuantityInLog[],
): Promise<readonly NamedQuantity[]> {
  const taken = new Set(quantities.flatMap(({ uuid }) => uuid ?? []))
  const named: NamedQuantity[] = []
  for (const quantity of quantities) {
    const uuid =
      quantity.uuid ?? (await freeUuid(tx, { log: log.uuid, term: must(termsIn(quantity.values)[0]) }, taken))
    named.push({ ...quantity, uuid })
  }
  return named
}

/** One that nothing has at present; which was that of the same material before, comes first. */
async function freeUuid(
  tx: Transaction,
  material: { readonly log: string; readonly term: number },
  taken: Set<string>,
): Promise<string> {
  for (let nth = 0; ; nth += 1) {
    const [earlier, uuid] = [earlierMaterialUuid({ ...material, nth }), materialUuid({ ...material, nth })]
    const known = await identitiesOf(tx, [earlier, uuid])
    const cameBefore = (one: string) => isRemovedQuantity(known.get(one))
    const free = [earlier, uuid].find(
      (one) => !taken.has(one) && (cameBefore(one) || (one === uuid && !known.has(one))),
    )
    if (free === undefined) continue
    taken.add(free)
    return free
  }
}

const isRemovedQuantity = (identity: Identity | undefined): boolean =>
  identity?.type === 'quantity' && identity.removed !== null

/** Enters them: those that waited are taken, those that were gone come back with their numbers, and the rest is new. */
export async function addQuantities(
  tx: Transaction,
  farm: Farm,
  { log, quantities, set, at }: AddedQuantities,
): Promise<void> {
  const known = await identitiesOf(
    tx,
    quantities.map(({ uuid }) => uuid),
  )
  const rows = await waitingRows(tx, log, [...known.values()])
  const fresh: NamedQuantity[] = []
  for (const quantity of quantities) {
    const identity = known.get(quantity.uuid)
    const row = identity && rows.get(identity.number)
    if (identity === undefined) fresh.push(quantity)
    else if (row === undefined) await comeBack(tx, farm, { identity, quantity, log: log.id, set, at })
    else await take(tx, farm, { row, quantity, log: log.id, set, at })
  }
  const numbers = await drawQuantityNumbers(tx, fresh.length)
  const made = fresh.map((quantity, index) =>
    takenRow(quantity, log.id, { id: must(numbers[index]), uid: set.uid, created: at, changed: at, revision: 0 }),
  )
  await insertQuantities(tx, made)
  await claimIdentities(
    tx,
    made.map(({ uuid, id, uid }) => ({ uuid, type: 'quantity', number: id, uid })),
  )
  await insertAll(
    tx,
    'reference',
    made.flatMap((row, index) => referenceRows(row.id, indexOfTaken(farm, row, must(fresh[index]).values))),
  )
}

/** Quantities without a log. A quantity of another log stays there. */
async function waitingRows(
  tx: Transaction,
  { id: log }: StoredRecord,
  known: readonly Identity[],
): Promise<ReadonlyMap<number, QuantityRecordRow>> {
  const stranger = known.find(({ type }) => type !== 'quantity')
  if (stranger !== undefined)
    throw isElsewhere(`the UUID ${stranger.uuid} is that of ${stranger.type} ${stranger.number}`)
  const there = known.filter(({ removed }) => removed === null).map(({ number }) => number)
  const rows = await lockQuantities(tx, there)
  const taken = rows.find(({ log_id }) => log_id !== null && log_id !== log)
  if (taken !== undefined) throw isElsewhere(`quantity ${taken.id} (${taken.uuid}) is in log ${taken.log_id}`)
  return new Map(rows.map((row) => [row.id, row]))
}

function isElsewhere(message: string): Refusal {
  return new Refusal('invalid-content', `quantity: ${message}.`, { faults: [{ field: 'quantity', message }] })
}

interface AddedQuantity {
  readonly quantity: NamedQuantity
  readonly log: number
  readonly set: ChangeSet
  readonly at: number
}

/** One that waited is a part of its log from here on. */
async function take(
  tx: Transaction,
  farm: Farm,
  { row, quantity, log, set, at }: AddedQuantity & { readonly row: QuantityRecordRow },
): Promise<void> {
  const { id, ...after } = takenRow(quantity, log, { ...row, changed: at, revision: row.revision + 1 })
  await changeQuantity(tx, id, after)
  const indexes = {
    before: indexOf(farm, { ...asTaken(row), values: JSON.parse(row.fields) }),
    after: indexOfTaken(farm, { id, ...after }, quantity.values),
  }
  await reindex(tx, [{ id, ...indexes }])
  await writeJournal(tx, set, [{ verb: 'update', record: asTaken({ id, ...after }), at }])
}

async function comeBack(
  tx: Transaction,
  farm: Farm,
  { identity, quantity, log, set, at }: AddedQuantity & { readonly identity: Identity },
): Promise<void> {
  const { number: id, uid, uuid } = identity
  const [last, before] = await latestRevisions(tx, { type: 'quantity', id, most: 2 })
  const told = before === undefined ? null : toldBy(before)
  if (last !== undefined && told === null) throw isElsewhere(`quantity ${id} (${uuid}) has ended for good`)
  const revision = last === undefined ? 0 : last.revision + 1
  const row: TakenRow = takenRow(quantity, log, { id, uid, created: at, changed: at, revision, ...ownOf(told) })
  await insertQuantities(tx, [row])
  await markThere(tx, uuid)
  await insertAll(tx, 'reference', referenceRows(id, indexOfTaken(farm, row, quantity.values)))
  if (revision > 0) await writeJournal(tx, set, [{ verb: 'restore', record: asTaken(row), at }])
}

const ownOf = (told: StoredRecord | null): Partial<Pick<StoredRecord, 'uid' | 'created'>> =>
  told === null ? {} : { uid: told.uid, created: told.created }

/** Quantities that wait, by their UUIDs, and that nobody else takes until the transaction ends. */
export type WaitingQuantities = ReadonlyMap<string, QuantityRecordRow>

export const noneWaiting: WaitingQuantities = new Map()

interface OfLog {
  /** The log's number among the new ones. */
  readonly nth: number
  readonly quantity: NamedQuantity
}

/** Quantities that new logs bring along. */
interface BroughtQuantities {
  readonly fresh: readonly OfLog[]
  readonly taken: readonly (OfLog & { readonly row: QuantityRecordRow })[]
}

const nothing: BroughtQuantities = { fresh: [], taken: [] }

export async function broughtBy(
  tx: Transaction,
  records: readonly RecordToStore[],
  waiting: WaitingQuantities,
): Promise<BroughtQuantities> {
  if (!records.some(({ type, values }) => type === 'log' && hasQuantities(values))) return nothing
  const all: OfLog[] = []
  for (const [nth, record] of records.entries()) {
    const named = await withUuids(tx, record, quantitiesIn(record.values))
    for (const quantity of named) all.push({ nth, quantity })
  }
  return {
    fresh: all.filter(({ quantity }) => !waiting.has(quantity.uuid)),
    taken: all.flatMap((one) => {
      const row = waiting.get(one.quantity.uuid)
      return row === undefined ? [] : [{ ...one, row }]
    }),
  }
}

/** All that follows from quantities that nobody knew before. */
export interface FreshRows {
  readonly quantity: readonly TakenRow[]
  readonly identities: readonly NewIdentity[]
  readonly references: readonly ReferenceRow[]
}

/** The logs that have been kept, and the numbers for what they brought along. */
interface StoredLogs {
  readonly farm: Farm
  readonly logs: readonly StoredRecord[]
  readonly numbers: readonly number[]
}

export function freshRows(
  { fresh }: BroughtQuantities,
  { farm, logs, numbers }: StoredLogs,
  { uid: by }: ChangeSet,
): FreshRows {
  const quantity = fresh.map((one, index) => {
    const { id: log, uid, changed } = must(logs[one.nth])
    const own = { id: must(numbers[index]), uid, created: changed, changed, revision: 0 }
    return takenRow(one.quantity, log, own)
  })
  return {
    quantity,
    identities: quantity.map(({ uuid, id }) => ({ uuid, type: 'quantity', number: id, uid: by })),
    references: quantity.flatMap((row, index) =>
      referenceRows(row.id, indexOfTaken(farm, row, must(fresh[index]).quantity.values)),
    ),
  }
}

/** Waiting quantities become parts of the new logs. */
export async function takeBrought(
  tx: Transaction,
  { taken }: BroughtQuantities,
  { farm, logs, set }: Pick<StoredLogs, 'farm' | 'logs'> & { readonly set: ChangeSet },
): Promise<void> {
  for (const { nth, quantity, row } of taken) {
    const log = must(logs[nth])
    await take(tx, farm, { row, quantity, log: log.id, set, at: log.changed })
  }
}
