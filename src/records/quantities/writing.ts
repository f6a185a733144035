import { requireRight } from '../../access/caller.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import { placeAt } from '../../fields/place.ts'
import type { Values } from '../../fields/value.ts'
import type { Transaction } from '../../storage/database.ts'
import { removedAmong } from '../../storage/identity.ts'
import { quantityRows } from '../../storage/records/quantity-rows.ts'
import { lockToUpdate } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { keepRequired, namedByUuid, type RecordDraft, refuseFaults } from '../writing/draft.ts'
import { removeIn } from '../writing/remove.ts'
import { resolveAll } from '../writing/resolve.ts'
import { settled } from '../writing/targets.ts'
import { noSuchRecord, updateIn } from '../writing/update.ts'
import type { WriteContext } from '../writing/write-context.ts'
import { asQuantity, type QuantityRecord } from './quantity-record.ts'
import { type PlacedQuantity, quantitiesByIds } from './reading.ts'

interface QuantityChange {
  readonly id: number
  /** Reads the draft for the current quantity. */
  readonly draftFor: (before: QuantityRecord) => RecordDraft | Promise<RecordDraft>
  /** The revisions that the writer may have seen: those of its log, where a log has it. */
  readonly seen?: readonly number[]
}

interface ChangedQuantity {
  readonly before: QuantityRecord
  readonly after: QuantityRecord
}

/** Changes a quantity, as a part of a transaction. Where a log has it, that is a change of the log. */
export async function updateQuantityIn(work: WriteContext, change: QuantityChange): Promise<ChangedQuantity> {
  requireRight(work.caller, 'write-records')
  const { id, draftFor, seen } = change
  const given = seen === undefined ? {} : { seen }
  const log = await lockLogOf(work.tx, id)
  if (log === 'gone') throw noSuchRecord('quantity', id)
  if (log === 'none') {
    const draft = (stored: StoredRecord) => draftFor(asQuantity(stored))
    const { before, after } = await updateIn(work, { type: 'quantity', id, draftFor: draft, ...given })
    return { before: asQuantity(before), after: asQuantity(after) }
  }
  const before = must((await quantitiesByIds(work.tx, [id])).get(id))
  const draft = await draftFor(before)
  await updateIn(work, {
    type: 'log',
    id: log.id,
    draftFor: () => ({ ...nothingSaid(work, log), ...messageIn(draft) }),
    quantities: async (own) => {
      const values = await changedValues(work, before, draft)
      return own.map((quantity) => (quantity.id === id ? { ...quantity, values } : quantity))
    },
    ...given,
  })
  return { before, after: must((await quantitiesByIds(work.tx, [id])).get(id)) }
}

interface QuantityRemoval {
  readonly id: number
  /** The revisions that the caller may have seen: those of its log, where a log has it. */
  readonly seen?: readonly number[]
}

/**
 * Removes a quantity, as a part of a transaction. Where a log has it, that is a change of the log; one that has gone already, also
 * together with its log and at this very moment, is removed as was asked.
 */
export async function removeQuantityIn(work: WriteContext, { id, seen }: QuantityRemoval): Promise<void> {
  requireRight(work.caller, 'write-records')
  const given = seen === undefined ? {} : { seen }
  const log = await lockLogOf(work.tx, id)
  if (log === 'gone') return refuseUnknown(work.tx, id)
  if (log === 'none') return removeIn(work, { type: 'quantity', id, ...given })
  const without = (own: readonly PlacedQuantity[]) => own.filter((quantity) => quantity.id !== id)
  const draftFor = () => nothingSaid(work, log)
  await updateIn(work, { type: 'log', id: log.id, draftFor, quantities: async (own) => without(own), ...given })
}

/** A quantity that is not there, and never was. */
async function refuseUnknown(tx: Transaction, id: number): Promise<void> {
  if (!(await removedAmong(tx, 'quantity', [id])).has(id)) throw noSuchRecord('quantity', id)
}

/** The log that has a quantity, locked until the transaction ends; none for one that waits. */
async function lockLogOf(tx: Transaction, id: number): Promise<StoredRecord | 'none' | 'gone'> {
  for (;;) {
    const [row] = await quantityRows(tx, [id])
    if (row === undefined) return 'gone'
    if (row.log_id === null) return 'none'
    const log = await lockToUpdate(tx, 'log', row.log_id)
    // While others changed the log, the quantity may have gone, or gone elsewhere.
    const [now] = await quantityRows(tx, [id])
    if (log !== undefined && now?.log_id === log.id) return log
  }
}

/** A change of a log in which nothing is said of its fields. */
const nothingSaid = ({ installation }: WriteContext, { bundle }: StoredRecord): RecordDraft => ({
  fields: fieldsOfBundle(installation.farm.records.log, bundle),
  drafts: {},
  given: new Map(),
  computed: {},
  faults: [],
  placeOf: (name) => placeAt(name, { faults: [], words: () => [] }),
})

/** It is the log that has revisions: what is said of this one stands there. */
function messageIn({ drafts }: RecordDraft): Pick<RecordDraft, 'drafts' | 'given'> {
  const { revision_log_message: message } = drafts
  if (message === undefined) return { drafts: {}, given: new Map() }
  return {
    drafts: { revision_log_message: message },
    given: new Map([['revision_log_message', 'revision_log_message']]),
  }
}

/** The values after the draft, or a refusal with all faults. */
async function changedValues(work: WriteContext, before: QuantityRecord, draft: RecordDraft): Promise<Values> {
  const { bundle, values } = before
  keepRequired(draft, values)
  const now = work.installation.clock()
  const write = { ...work, type: 'quantity', bundle, now, before: values } as const
  const [resolved = {}] = await resolveAll(work, [{ write, draft }], await namedByUuid(work.tx, [draft]))
  refuseFaults(draft.faults)
  const kept = Object.entries(values).filter(([name]) => !draft.given.has(name))
  const fields = fieldsOfBundle(work.installation.farm.records.quantity, bundle)
  return settled({ fields, given: draft.given }, { ...Object.fromEntries(kept), ...resolved }, values)
}
