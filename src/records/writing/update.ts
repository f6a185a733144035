import { isDeepStrictEqual } from 'node:util'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Drafts, ReferenceDraft, Value, Values } from '../../fields/value.ts'
import { Refusal } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import { atPresent } from '../../storage/farm-state.ts'
import { lockAllToUpdate } from '../../storage/records/record-rows.ts'
import { type StoredRecord, unsetColumns } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { refuseOwnAncestor, refuseOwnMember } from '../ancestry.ts'
import type { QuantityFate } from '../quantities/dropped-quantity.ts'
import type { WantedQuantity } from '../quantities/quantities-of-log.ts'
import type { PlacedQuantity } from '../quantities/reading.ts'
import { type LogToWrite, refuseIfTaken, takeOver } from '../quantities/taking.ts'
import { computedOf } from '../record-index.ts'
import type { Records } from '../records.ts'
import { limitFiles, tellOfFiles } from './attachments.ts'
import {
  keepRequired,
  type NamedByUuid,
  namedByUuid,
  numberUnder,
  type RecordDraft,
  refuseComputed,
  refuseFaults,
  refuseIfChanged,
} from './draft.ts'
import { resolveAll } from './resolve.ts'
import { storeChanges } from './storing.ts'
import { type RecordWrite, settled } from './targets.ts'
import type { WriteContext } from './write-context.ts'

interface RecordChange {
  readonly type: RecordTypeName
  readonly id: number
  /** Reads the draft for the current record. */
  readonly draftFor: (before: StoredRecord) => RecordDraft | Promise<RecordDraft>
  /** The revisions that the writer may have seen; a record that has moved on since is not changed. */
  readonly seen?: readonly number[]
  /** For a log: the wanted quantities, computed from the present ones. */
  readonly quantities?: (own: readonly PlacedQuantity[]) => Promise<readonly WantedQuantity[]>
}

interface UpdateResult {
  readonly before: StoredRecord
  readonly after: StoredRecord
}

export const noSuchRecord = (type: string, id: number | string): Refusal =>
  new Refusal('not-found', `There is no ${type} ${id}.`)

/**
 * Changes the fields that are given and keeps the rest, as a part of a transaction.
 * A change to what it already is changes nothing at all.
 */
export async function updateIn(work: WriteContext, { type, ...change }: RecordChange): Promise<UpdateResult> {
  return must((await updateTogether(work, type, [change]))[0])
}

/** The same for records of one type, each of which is changed once. Where one is refused, so are all: the first that is says why. */
export async function updateTogether(
  work: WriteContext,
  type: RecordTypeName,
  changes: readonly Omit<RecordChange, 'type'>[],
): Promise<readonly UpdateResult[]> {
  const { installation, tx, caller, set } = work
  requireRight(caller, 'write-records')
  const there = await lockAllToUpdate(
    tx,
    type,
    changes.map(({ id }) => id),
  )
  const now = installation.clock()
  const wanted: WantedChange[] = []
  for (const { id, seen, draftFor, quantities } of changes) {
    const before = there.get(id)
    if (before === undefined) throw noSuchRecord(type, id)
    refuseIfTaken(before)
    await refuseIfChanged(tx, before, seen)
    const draft = await draftFor(before)
    keepRequired(draft, before.values)
    const write = { installation, tx, caller, set, type, bundle: before.bundle, now, before: before.values }
    wanted.push({ before, draft, quantities, write })
  }
  const named = await namedByUuid(
    tx,
    wanted.map(({ draft }) => draft),
  )
  for (const { draft, before } of wanted) await refuseOtherComputed(tx, { installation, draft, before, named })
  const resolved = await resolveAll(work, wanted, named)
  const taken: LogToWrite['taken'] = new Map()
  const told: ToldUpdate[] = []
  for (const [index, one] of wanted.entries())
    told.push(await toldBy(work, one, { resolved: resolved[index] ?? {}, taken }))
  const stored = told.filter(({ before, after }) => before !== after)
  await storeChanges(tx, installation.farm, { type, changes: stored, set })
  for (const { after } of stored) await refuseOwnMember(tx, after)
  if (stored.length > 1) await refuseAncestorsOfEachOther(tx, stored)
  return told
}

interface WantedChange extends RecordWrite {
  readonly before: StoredRecord
  readonly draft: RecordDraft
  readonly quantities: RecordChange['quantities']
}

interface ToldUpdate extends UpdateResult {
  readonly fate: QuantityFate
  readonly draft: RecordDraft
}

interface ResolvedUpdate {
  readonly resolved: Values
  readonly taken: LogToWrite['taken']
}

/** The new state of a record; the same object if nothing changes. */
async function toldBy(
  work: WriteContext,
  { before, draft, quantities, write }: WantedChange,
  { resolved, taken }: ResolvedUpdate,
): Promise<ToldUpdate> {
  const { installation, tx } = work
  const { type, bundle } = before
  const said = merged(before, resolved, draft)
  const log = { bundle, values: said, draft, before, wanted: quantities, taken }
  const { values: complete, fate } = await takeOver(work, log)
  const fields = fieldsOfBundle(installation.farm.records[type], bundle)
  const values = settled({ fields, given: draft.given }, complete, before.values)
  await refuseOwnAncestor(tx, draft, { before, after: { ...before, values } })
  await limitFiles(write, draft, values)
  refuseFaults(draft.faults)
  const files = await tellOfFiles(tx, draft)
  const isSame = files === 'as before' && isDeepStrictEqual(values, before.values)
  const after = isSame ? before : { ...before, values, changed: write.now, revision: before.revision + 1 }
  return { before, after, fate, draft }
}

/** Records that are put below each other at once would each find nothing wrong before. */
async function refuseAncestorsOfEachOther(tx: Transaction, told: readonly ToldUpdate[]): Promise<void> {
  for (const one of told) {
    await refuseOwnAncestor(tx, one.draft, one)
    refuseFaults(one.draft.faults)
  }
}

function merged(before: StoredRecord, resolved: Values, { given }: RecordDraft): Values {
  const kept: Record<string, Value> = {}
  for (const name in before.values) {
    const value = before.values[name]
    if (value !== undefined && !given.has(name)) kept[name] = value
  }
  return { ...unsetColumns[before.type], ...kept, ...resolved }
}

interface ComputedCheck {
  readonly installation: Records
  readonly draft: RecordDraft
  readonly before: StoredRecord
  readonly named: NamedByUuid
}

/** A computed field may be sent if it says what is computed. */
async function refuseOtherComputed(
  tx: Transaction,
  { installation, draft, before, named }: ComputedCheck,
): Promise<void> {
  const asked = Object.keys(draft.fields).filter((name) => draft.fields[name]?.computed && draft.given.has(name))
  if (asked.length === 0) return
  const time = atPresent(installation.clock())
  const computed = (await computedOf(tx, [before], { farm: installation.farm, time, asked })).get(before.id) ?? {}
  for (const name of asked) {
    if (spelled(draft.computed[name], named) !== spelled(computed[name], named)) refuseComputed(draft, name)
  }
}

function spelled(value: Drafts[string] | Values[string] | undefined, named: NamedByUuid): string {
  if (!Array.isArray(value)) return String(value ?? '')
  const ids = (value as readonly (ReferenceDraft | number)[]).map((one) => {
    if (typeof one === 'number') return one
    return one.ref === 'uuid' ? numberUnder(named, one.uuid) : one.ref === 'id' ? one.id : one.name
  })
  return ids.toSorted().join(' ')
}
