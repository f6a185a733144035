import { requireRight } from '../../access/caller.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import type { Identity } from '../../storage/identity.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { namesakesIn } from '../../storage/records/term-rows.ts'
import { contentOf, lockIdentity, type RemovedRecordName } from '../../storage/trash-rows.ts'
import { aboveItself, isOwnAncestor, refuseOwnMember } from '../ancestry.ts'
import { unknownIn } from '../moving/consequences.ts'
import { type NamedReference, namedIn, withoutNamed } from './named-records.ts'
import { standingOf } from './standing.ts'
import { storeRestored } from './storing.ts'
import type { WriteContext } from './write-context.ts'

export interface Restoration {
  /** Records to restore together. */
  readonly records: readonly RemovedRecordName[]
  /** Treatment of referenced records in the trash. */
  readonly referents: 'refuse' | 'restore'
  /** Treatment of references to records deleted for good. */
  readonly missing: 'refuse' | 'drop'
  /** The revisions that the caller may have seen of the first. */
  readonly seen?: readonly number[]
}

/** The restored records, and notes about them. */
export interface RestoreResult {
  /** Requested records first, in order. */
  readonly records: readonly StoredRecord[]
  /** Dropped references to records deleted for good. */
  readonly dropped: readonly (NamedReference & { readonly of: StoredRecord })[]
  /** Terms that have the name of another, with the numbers of those. */
  readonly namesakes: readonly { readonly term: StoredRecord; readonly others: readonly number[] }[]
}

/** A record that comes back, as it will be. */
interface ReturningRecord {
  readonly record: StoredRecord
  readonly gone: readonly NamedReference[]
}

const mostAtOnce = 1000

/**
 * Brings removed records back with their numbers, UUIDs, authors and files, each at its next revision, as a part of a
 * transaction; or refuses with everything that stands in the way.
 */
export async function restoreIn(work: WriteContext, restoration: Restoration): Promise<RestoreResult> {
  requireRight(work.caller, 'write-records')
  const returning = await allReturning(work, restoration)
  const records = returning.map((one) => withoutGone(work, one, restoration))
  for (const type of ['term', 'asset', 'log', 'quantity'] as const) {
    for (const record of records.filter((one) => one.type === type)) {
      await asConflict(record, () => storeRestored(work.tx, work.installation.farm, { record, set: work.set }))
    }
  }
  for (const record of records) await refuseCircles(work, record)
  return {
    records,
    dropped: returning.flatMap(({ gone }, index) =>
      gone.map((named) => ({ ...named, of: records[index] as StoredRecord })),
    ),
    namesakes: await namesakesOf(work, records),
  }
}

/** The requested records and, if wanted, all referenced ones in the trash. */
async function allReturning(
  work: WriteContext,
  { records, referents, seen }: Restoration,
): Promise<readonly ReturningRecord[]> {
  const found = new Map<string, StoredRecord>()
  for (const [index, name] of records.entries()) {
    const trashed = await fromTrash(work, await trashedIdentity(work, name), index === 0 ? seen : undefined)
    found.set(`${trashed.type} ${trashed.id}`, trashed)
  }
  const returning: ReturningRecord[] = []
  const faults: RefusalFault[] = []
  for (const record of found.values()) {
    refuseUnknown(work, record)
    const fields = fieldsOfBundle(work.installation.farm.records[record.type], record.bundle)
    const others = namedIn(fields, record.values).filter(({ to, id }) => !found.has(`${to} ${id}`))
    const { inTrash, gone } = await standingOf(work, others)
    for (const { field, to, id, identity } of inTrash) {
      if (found.has(`${to} ${id}`)) continue
      const referent = await fromTrash(work, identity)
      if (referents === 'restore') found.set(`${to} ${id}`, referent)
      else faults.push({ field, message: `${calledOf(referent)} lies in the trash too, under ${identity.uuid}` })
    }
    if (found.size > mostAtOnce) throw tooMany()
    returning.push({ record, gone })
  }
  const [first] = found.values()
  if (faults.length > 0 && first !== undefined)
    throw cannotComeBack(first, faults, 'Restore that first, or both together (with referents).')
  return returning
}

async function trashedIdentity({ tx }: WriteContext, name: RemovedRecordName): Promise<Identity> {
  const identity = await lockIdentity(tx, name)
  const called = 'uuid' in name ? name.uuid : `${name.type} ${name.id}`
  if (identity === undefined || identity.type === 'file') {
    throw new Refusal('not-found', `Nothing called ${called} lies in the trash.`)
  }
  const { type, number, removed, ended } = identity
  if (type === 'quantity' && ended !== null && ended === removed) {
    throw new Refusal(
      'not-restorable',
      `${type} ${number} went with its log, or out of it, and comes back with its log.`,
    )
  }
  if (ended !== null) {
    throw new Refusal('not-restorable', `${type} ${number} ended for good at ${ended}: nothing is left of it.`)
  }
  if (removed === null) throw new Refusal('not-restorable', `${type} ${number} is there, and not in the trash.`)
  return identity
}

/** The record as restored: its last values at its next revision. */
async function fromTrash(work: WriteContext, identity: Identity, seen?: readonly number[]): Promise<StoredRecord> {
  const content = await contentOf(work.tx, identity)
  const called = `${identity.type} ${identity.number}`
  if (content === undefined) throw new Refusal('not-restorable', `${called}: the journal does not say what it was.`)
  const { record, removal } = content
  if (seen !== undefined && !seen.includes(removal.revision)) {
    throw new Refusal(
      'precondition-failed',
      `${called} does not have the tag in If-Match. Look at it in the trash again.`,
    )
  }
  return { ...record, changed: work.installation.clock(), revision: removal.revision + 1 }
}

function refuseUnknown({ installation }: WriteContext, record: StoredRecord): void {
  const unknown = unknownIn(installation.farm, record)
  if (unknown === null) return
  const why = `No installed module knows ${unknown}, which it has. Install the module first.`
  throw new Refusal('not-restorable', `${calledOf(record)} cannot come back. ${why}`)
}

/** Drops references to records deleted for good if wanted, unless the field is required. */
function withoutGone(
  { installation }: WriteContext,
  { record, gone }: ReturningRecord,
  { missing }: Restoration,
): StoredRecord {
  if (gone.length === 0) return record
  const faults = gone.map(({ field, to, id }) => ({ field, message: `${to} ${id} is gone for good` }))
  if (missing === 'refuse') throw cannotComeBack(record, faults, 'It can come back without (drop missing).')
  const keys = new Set(gone.map(({ to, id }) => `${to} ${id}`))
  const emptied: string[] = []
  const fields = fieldsOfBundle(installation.farm.records[record.type], record.bundle)
  const values = withoutNamed(fields, record.values, { isOmitted: ({ to, id }) => keys.has(`${to} ${id}`), emptied })
  if (emptied.length > 0) {
    const required = emptied.map((field) => ({ field, message: 'is required, and all that it named is gone for good' }))
    throw cannotComeBack(record, required, 'Make a new one instead.')
  }
  return { ...record, values }
}

/** Judged as at a write, once all of them are there. */
export async function refuseCircles({ tx }: WriteContext, record: StoredRecord): Promise<void> {
  if (await isOwnAncestor(tx, record)) {
    throw cannotComeBack(record, [{ field: 'parent', message: aboveItself(record.type) }], 'Change the others first.')
  }
  await asConflict(record, () => refuseOwnMember(tx, record))
}

/** A validation fault of a write becomes a conflict here: others changed something since. */
export async function asConflict(record: StoredRecord, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.refusal !== 'invalid-content') throw error
    throw cannotComeBack(record, error.details.faults ?? [], 'Change the others first.')
  }
}

async function namesakesOf(
  { tx }: WriteContext,
  records: readonly StoredRecord[],
): Promise<RestoreResult['namesakes']> {
  const namesakes: RestoreResult['namesakes'][number][] = []
  for (const term of records.filter(({ type }) => type === 'term')) {
    const key = trimmedTextKey(String(term.values.name))
    const others = (await namesakesIn(tx, { bundle: term.bundle, key })).filter((id) => id !== term.id)
    if (others.length > 0) namesakes.push({ term, others })
  }
  return namesakes
}

function calledOf(record: Pick<StoredRecord, 'type' | 'id' | 'values'>): string {
  const name = nameOf(record)
  return `${record.type} ${record.id}${name === null ? '' : ` (${name})`}`
}

export function cannotComeBack(record: StoredRecord, faults: readonly RefusalFault[], advice: string): Refusal {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const why = `${first?.field}: ${first?.message}${more}.`
  return new Refusal('not-restorable', `${calledOf(record)} cannot come back as it was. ${why} ${advice}`, { faults })
}

const tooMany = (): Refusal =>
  new Refusal(
    'not-restorable',
    `More than ${mostAtOnce} records would come back together. Restore what they refer to first, some at a time.`,
  )
