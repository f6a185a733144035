import { isDeepStrictEqual } from 'node:util'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Drafts, ReferenceDraft, Value, Values } from '../../fields/value.ts'
import { Refusal } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import { atPresent } from '../../storage/history/point-in-time.ts'
import { lockToUpdate } from '../../storage/records/record-rows.ts'
import { type Stored, unsetColumns } from '../../storage/records/stored.ts'
import { computedOf } from '../computed.ts'
import type { PlacedQuantity } from '../quantities/reading.ts'
import { refuseIfTaken, takeOver } from '../quantities/taking.ts'
import type { WantedQuantity } from '../quantities/with-quantities.ts'
import type { Records } from '../records.ts'
import { refuseOwnAncestor, refuseOwnMember } from './circles.ts'
import { keepRequired, type RecordDraft, refuseComputed, refuseFaults } from './draft.ts'
import { limitFiles } from './file-limits.ts'
import { tellOfFiles } from './file-texts.ts'
import { refuseIfChanged } from './if-match.ts'
import { type NamedByUuid, namedByUuid, numberUnder } from './named-by-uuid.ts'
import { resolveAll } from './resolution.ts'
import { settled } from './settled.ts'
import { storeChange } from './storing.ts'
import type { Work } from './work.ts'

export interface RecordChange {
  readonly type: RecordTypeName
  readonly id: number
  /** What is asked for, read for the record as it is. */
  readonly draftFor: (before: Stored) => RecordDraft | Promise<RecordDraft>
  /** The revisions that the writer may have seen; a record that has moved on since is not changed. */
  readonly seen?: readonly number[]
  /** Of a log: the quantities that it is to have, made of those that it has. */
  readonly quantities?: (own: readonly PlacedQuantity[]) => Promise<readonly WantedQuantity[]>
}

export interface Changed {
  readonly before: Stored
  readonly after: Stored
}

export const noSuchRecord = (type: string, id: number | string): Refusal =>
  new Refusal('not-found', `There is no ${type} ${id}.`)

/**
 * Changes the fields that are given and keeps the rest, as a part of a transaction.
 * A change to what it already is changes nothing at all.
 */
export async function updateIn(work: Work, change: RecordChange): Promise<Changed> {
  const { installation, tx, caller, set } = work
  requireRight(caller, 'write-records')
  const before = await lockToUpdate(tx, change.type, change.id)
  if (before === undefined) throw noSuchRecord(change.type, change.id)
  refuseIfTaken(before)
  await refuseIfChanged(tx, before, change.seen)
  const draft = await change.draftFor(before)
  keepRequired(draft, before.values)
  const named = await namedByUuid(tx, [draft])
  await refuseOtherComputed(tx, { installation, draft, before, named })
  const now = installation.clock()
  const write = { installation, tx, caller, set, type: change.type, bundle: before.bundle, now, before: before.values }
  const [resolved = {}] = await resolveAll(write, [{ write, draft }], named)
  const bundle = before.bundle
  const said = merged(before, resolved, draft)
  const log = { bundle, values: said, draft, before, wanted: change.quantities, taken: new Map() }
  const { values: taken, fate } = await takeOver(work, log)
  const fields = fieldsOfBundle(installation.farm.records[change.type], bundle)
  const values = settled({ fields, given: draft.given }, taken, before.values)
  await refuseOwnAncestor(tx, draft, { before, after: { ...before, values } })
  await limitFiles(write, draft, values)
  refuseFaults(draft.faults)
  const files = await tellOfFiles(tx, draft)
  if (files === 'as before' && isDeepStrictEqual(values, before.values)) return { before, after: before }
  const after = { ...before, values, changed: now, revision: before.revision + 1 }
  await storeChange(tx, installation.farm, { before, after, set, fate })
  await refuseOwnMember(tx, after)
  return { before, after }
}

function merged(before: Stored, resolved: Values, { given }: RecordDraft): Values {
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
  readonly before: Stored
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
