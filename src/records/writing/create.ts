import { createHash } from 'node:crypto'
import { type Caller, requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Draft, Drafts, FileDraft, ReferenceDraft, Values } from '../../fields/value.ts'
import { membershipOf } from '../../history/implications.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import { lockAccountsToName } from '../../storage/access/account-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { fingerprint as hashOf } from '../../storage/file-rows.ts'
import { type Identity, identitiesToClaim } from '../../storage/identity.ts'
import { setOfCreation } from '../../storage/journal.ts'
import type { QuantityRecordRow } from '../../storage/records/quantity-rows.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import { type RecordToStore, type StoredRecord, unsetColumns } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { refuseOwnMember } from '../ancestry.ts'
import type { WaitingQuantities } from '../quantities/new-quantities.ts'
import { takeOver } from '../quantities/taking.ts'
import type { Records } from '../records.ts'
import { limitFiles, tellOfFiles } from './attachments.ts'
import {
  faultsRefused,
  isLeftToDefault,
  type NamedByUuid,
  namedByUuid,
  newUuid,
  numberUnder,
  type RecordDraft,
  refuseComputed,
  requireFields,
  versionOf,
} from './draft.ts'
import { resolveAll } from './resolve.ts'
import { storeNew } from './storing.ts'
import { settled } from './targets.ts'
import type { WriteContext } from './write-context.ts'

/** A record that is to be made, as a door has read it. */
export interface NewRecord {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly draft: RecordDraft
  readonly attribution: Attribution
  /** Client-generated UUID. */
  readonly uuid?: string
  /** The default name. */
  readonly nameOf?: (id: number) => string
}

/** A migration may set author and time of records. */
export interface Attribution {
  readonly created?: number
  readonly uid?: number
  /** Faults of these; ignored for callers who may not set them. */
  readonly faults: readonly RefusalFault[]
}

const unattributed: Attribution = { faults: [] }

/** Keeps a new record, as a part of a transaction, or refuses it with all its faults. */
export async function createIn(work: WriteContext, given: NewRecord): Promise<StoredRecord> {
  const { type } = given
  const { made, ...others } = await recordsFrom(work, [draftOfNew(work.installation, work.caller, given)])
  const record = must(made[0])
  if (record instanceof Refusal) throw record
  const { nameOf } = given
  const creation = { type, records: [record], set: work.set, ...others, ...(nameOf === undefined ? {} : { nameOf }) }
  const stored = must((await storeNew(work.tx, work.installation.farm, creation))[0])
  if (membershipOf(stored.values) !== undefined) await refuseOwnMember(work.tx, stored)
  return stored
}

export interface NewDraft extends NewRecord {
  /** Number of faults found without the database. */
  readonly faultsOfForm: number
}

/** Validates everything that needs no database. */
export function draftOfNew({ farm }: Records, caller: Caller, given: NewRecord): NewDraft {
  requireRight(caller, 'write-records')
  const { type, draft } = given
  // A new record is nowhere yet, so any computed value but none contradicts the logs.
  for (const name in draft.computed) refuseComputed(draft, name)
  requireFields(draft, farm.records[type])
  const attribution = caller.rights.has('configure') ? given.attribution : unattributed
  draft.faults.push(...attribution.faults)
  return { ...given, attribution, faultsOfForm: draft.faults.length }
}

interface FromDrafts {
  /** A refusal in place of each record that cannot be stored. */
  readonly made: readonly (RecordToStore | Refusal)[]
  /** Fingerprints of the drafts whose UUIDs their writers have chosen, by UUID. */
  readonly drafts: ReadonlyMap<string, string>
  /** The quantities that the records take over. */
  readonly waiting: WaitingQuantities
}

/** The records that drafts stand for, ready to be stored. */
export async function recordsFrom(work: WriteContext, drafts: readonly NewDraft[]): Promise<FromDrafts> {
  const { installation, tx, caller, set } = work
  const now = installation.clock()
  const named = await namedByUuid(
    tx,
    drafts.map(({ draft }) => draft),
  )
  const wanted = drafts.map(({ type, bundle, draft, faultsOfForm, attribution, uuid }) => {
    // A transaction that is run again starts without the faults of the run before.
    draft.faults.length = faultsOfForm
    return { draft, attribution, uuid, write: { installation, tx, caller, set, type, bundle, now, before: {} } }
  })
  const resolved = await resolveAll(work, wanted, named)
  const made: (RecordToStore | Refusal)[] = []
  const taken = new Map<string, QuantityRecordRow>()
  for (const [index, { draft, attribution, uuid = newUuid(now), write }] of wanted.entries()) {
    const { type, bundle } = write
    const uid = attribution.uid === undefined ? caller.uid : await existingAuthor(tx, draft, attribution.uid)
    const said = { ...defaults(type, draft, uid), ...resolved[index] }
    const { values: complete } = await takeOver(work, { bundle, values: said, draft, taken })
    const fields = fieldsOfBundle(installation.farm.records[type], bundle)
    const values = settled({ fields, given: draft.given }, complete)
    await limitFiles(write, draft, values)
    if (draft.faults.length === 0) await tellOfFiles(tx, draft)
    const created = attribution.created ?? now
    made.push(
      draft.faults.length > 0
        ? faultsRefused(draft.faults)
        : { type, uuid, bundle, uid, created, changed: now, revision: 1, values },
    )
  }
  const own = drafts.flatMap((draft) =>
    draft.uuid === undefined ? [] : [[draft.uuid, fingerprintOf(draft, named)] as const],
  )
  return { made, drafts: new Map(own), waiting: taken }
}

async function existingAuthor(tx: Transaction, draft: RecordDraft, uid: number): Promise<number> {
  const [account] = await lockAccountsToName(tx, [uid])
  if (account === undefined) draft.placeOf('uid').fault(`there is no user with the id ${uid}`)
  return uid
}

/** Default values of a new record. */
const defaults = (type: RecordTypeName, draft: RecordDraft, author: number): Values => ({
  ...unsetColumns[type],
  ...(isLeftToDefault(type, draft) ? { log_owner: [author] } : {}),
})

interface FingerprintInput {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly draft: RecordDraft
  /** Author and time, if the caller may set them. */
  readonly attribution: { readonly created?: number; readonly uid?: number }
}

/** The same for drafts that ask for the same record, however each of its values was spelled. */
export function fingerprintOf({ type, bundle, draft, attribution }: FingerprintInput, named: NamedByUuid): string {
  const { created = null, uid = null } = attribution
  const asked = [
    bundle,
    membersOf({ ...unsetColumns[type], ...draft.drafts } as Drafts, named),
    isLeftToDefault(type, draft),
    [created, uid],
    ...(draft.quantities === undefined ? [] : [draft.quantities]),
  ]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}

/** In a fixed order. A missing boolean counts as no. */
function membersOf(drafts: Drafts, named: NamedByUuid): readonly unknown[] {
  const members: unknown[] = []
  for (const name of Object.keys(drafts).sort()) {
    const draft = drafts[name]
    if (draft !== undefined && draft !== false) members.push([name, plain(draft, named)])
  }
  return members
}

function plain(draft: Draft, named: NamedByUuid): unknown {
  if (Array.isArray(draft)) return listed(draft, named)
  if (typeof draft !== 'object') return draft
  if ('ref' in draft) return referred(draft, named)
  if ('file' in draft) return filed(draft, named)
  return 'part' in draft ? membersOf(draft.part, named) : membersOf(draft as unknown as Drafts, named)
}

/** Duplicate references count once. */
function listed(drafts: readonly Draft[], named: NamedByUuid): readonly unknown[] {
  const all = drafts.map((one) => JSON.stringify(plain(one, named)))
  const [first] = drafts
  return typeof first === 'object' && 'ref' in first ? [...new Set(all)] : all
}

function referred(draft: ReferenceDraft, named: NamedByUuid): unknown {
  if (draft.ref === 'name') return { name: trimmedTextKey(draft.name) }
  return { id: draft.ref === 'id' ? draft.id : numberUnder(named, draft.uuid) }
}

function filed(draft: FileDraft, named: NamedByUuid): unknown {
  if (draft.file === 'new') return { mime: draft.mime, sha256: hashOf(draft.bytes) }
  if (draft.file === 'uuid') return { id: numberUnder(named, draft.uuid) }
  return { id: draft.id, ...(draft.texts === undefined ? {} : { texts: draft.texts }) }
}

/** A record that may have been made before. */
export interface Creation {
  readonly type: RecordTypeName
  /** Client-generated UUID. */
  readonly uuid: string | undefined
  /** The rest is looked at only once it is known what the UUID stands for. */
  readonly read: () => NewRecord
}

export interface CreationResult {
  readonly record: StoredRecord
  /** If it already existed: the change set that made it. */
  readonly earlier?: string
}

/** Keeps a new record, unless the same writer has made the same under its UUID before: then that is it, however long ago. */
export async function createOnce(work: WriteContext, creation: Creation): Promise<CreationResult> {
  const { uuid } = creation
  if (uuid === undefined) return { record: await createIn(work, creation.read()) }
  const identity = (await identitiesToClaim(work.tx, [uuid])).get(uuid)
  if (identity !== undefined) return madeBefore(work, identity, creation)
  return { record: await createIn(work, { ...creation.read(), uuid }) }
}

/** The record that the same draft has made under this UUID; anything else is refused. */
export async function madeBefore(
  work: WriteContext,
  identity: Identity,
  { type, read }: Creation,
): Promise<Required<CreationResult>> {
  const { tx, caller } = work
  if (identity.uid !== caller.uid) throw uuidTaken('stands for something that another account has made; take a new one')
  if (identity.type !== type) throw uuidTaken('belongs to a record of another type; choose a new one')
  const record = (await recordsByIds(tx, type, [identity.number])).get(identity.number)
  if (identity.removed !== null || record === undefined)
    throw uuidTaken('belongs to a removed record; take a new one to make it again')
  const earlier = (await setOfCreation(tx, record)) ?? work.set.id
  if (await isDraftOf(work, identity, read)) return { record, earlier }
  // A record of this very transaction is rolled back with it.
  if (earlier === work.set.id) throw uuidTaken('is already that of something else in this request; take a new one')
  throw otherDraft(record, work.installation.edition)
}

/** An unreadable draft has created nothing. */
async function isDraftOf(
  { installation, tx, caller }: WriteContext,
  { draft }: Identity,
  read: () => NewRecord,
): Promise<boolean> {
  try {
    const given = draftOfNew(installation, caller, read())
    if (draft === null || given.faultsOfForm > 0) return false
    return fingerprintOf(given, await namedByUuid(tx, [given.draft])) === draft
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function otherDraft({ type, id, revision }: StoredRecord, edition: string): Refusal {
  const message = `stands for ${type} ${id}, which you have made otherwise; change that, or take a new UUID`
  return uuidTaken(message, { id: String(id), version: versionOf(revision, edition) })
}

export const uuidTaken = (message: string, members: Readonly<Record<string, string>> = {}): Refusal =>
  new Refusal('uuid-taken', `The UUID ${message}.`, { faults: [{ field: 'uuid', message }], members })
