import { type Caller, requireRight } from '../access/caller.ts'
import type { RecordType, RecordTypeName } from '../farm/farm.ts'
import { isBlank, placeAt, shown, type Tree } from '../fields/place.ts'
import { reference, takeReference } from '../fields/reference.ts'
import { takeTimestamp, timestamp, wholeNumber } from '../fields/time.ts'
import type { Values } from '../fields/value.ts'
import { type Fault, Refusal } from '../refusal.ts'
import { lockAccountsToName } from '../storage/access/account-rows.ts'
import type { Writing } from '../storage/database.ts'
import { known } from '../storage/known.ts'
import { type Stored, type Unstored, unsetColumns } from '../storage/records/stored.ts'
import { refuseOwnMember } from './circles.ts'
import { bodyTree, draftOf, faultsRefused, type RecordDraft, requireFields } from './drafting.ts'
import { limitFiles } from './file-limits.ts'
import { newIdentity } from './identity.ts'
import type { Keeping } from './keeping.ts'
import { resolveAll } from './resolution.ts'
import { storeNew } from './storing.ts'
import type { Work } from './work.ts'

export interface NewRecord {
  readonly type: RecordTypeName
  readonly body: unknown
}

/** Keeps a new record, as a part of a transaction, or refuses it with all its faults. */
export async function createIn(work: Work, given: NewRecord): Promise<Stored> {
  const { type } = given
  const record = known((await recordsFrom(work, [draftOfNew(work.keeping, work.caller, given)]))[0])
  if (record instanceof Refusal) throw record
  const stored = known(
    (await storeNew(work.rows, work.keeping.farm, { type, records: [record], uid: work.caller.uid }))[0],
  )
  await refuseOwnMember(work.rows, stored)
  return stored
}

export interface NewDraft {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly draft: RecordDraft
  readonly attribution: Attribution
  /** How many faults were found without the database. */
  readonly faultsOfForm: number
}

/** Whatever can be judged without the database. */
export function draftOfNew(keeping: Keeping, caller: Caller, { type: typeName, body }: NewRecord): NewDraft {
  requireRight(caller, 'write-records')
  const type = keeping.farm.records[typeName]
  const tree = bodyTree(body)
  const bundle = bundleIn(keeping, type, tree)
  const draft = draftOf(keeping.farm, { type, bundle, tree, judged: [type.bundleName, type.idName, 'id'] })
  refuseOwnId(draft, type, tree)
  refuseComputed(draft)
  requireFields(draft, type)
  const attribution = caller.rights.has('configure') ? attributionIn(draft, tree) : {}
  return { type: typeName, bundle, draft, attribution, faultsOfForm: draft.faults.length }
}

/** The records that drafts stand for, ready to be stored; in the place of each that cannot be, its refusal. */
export async function recordsFrom(work: Work, drafts: readonly NewDraft[]): Promise<readonly (Unstored | Refusal)[]> {
  const { keeping, rows, caller } = work
  const now = keeping.clock()
  const wanted = drafts.map(({ type, bundle, draft, faultsOfForm, attribution }) => {
    // A transaction that is run again starts without the faults of the run before.
    draft.faults.length = faultsOfForm
    return { draft, attribution, write: { keeping, rows, caller, type, bundle, now, before: {} } }
  })
  const resolved = await resolveAll(work, wanted)
  const records: (Unstored | Refusal)[] = []
  for (const [index, { draft, attribution, write }] of wanted.entries()) {
    const { type, bundle } = write
    const uid = attribution.uid === undefined ? caller.uid : await existingAuthor(rows, draft, attribution.uid)
    const values = { ...defaults(type, draft, uid), ...resolved[index] }
    await limitFiles(write, draft, values)
    const created = attribution.created ?? now
    records.push(
      draft.faults.length > 0
        ? faultsRefused(draft.faults)
        : { type, uuid: newIdentity(now), bundle, uid, created, changed: now, revision: 1, values },
    )
  }
  return records
}

/** Which log type, asset type or vocabulary a new record belongs to. */
function bundleIn(keeping: Keeping, type: RecordType, tree: Tree): string {
  const given = tree[type.bundleName]
  const bundle = type.bundleName === 'vocabulary' ? vocabularyIn(keeping, given) : given
  const bundles = Object.keys(type.bundles)
  if (typeof bundle === 'string' && bundles.includes(bundle)) return bundle
  const message = isBlank(given) ? 'is required' : `there is no ${type.bundleName} ${shown(given)}`
  throw faultsRefused([
    { field: type.bundleName, message, allowed: bundles },
    ...faultsWithoutBundle(keeping, type, tree),
  ])
}

/** What is wrong with a new record whatever its bundle is. */
function faultsWithoutBundle({ farm }: Keeping, type: RecordType, tree: Tree): readonly Fault[] {
  const standing = Object.entries(tree).filter(([name]) => Object.hasOwn(type.properties, name))
  const draft = draftOf(farm, { type, bundle: '', tree: Object.fromEntries(standing), judged: [type.bundleName] })
  requireFields(draft, type)
  return draft.faults
}

/** A vocabulary is given as its number, `{"id": number}` or its machine name. */
export function vocabularyIn(keeping: Keeping, given: unknown): string | undefined {
  const named = typeof given === 'object' && given !== null && 'id' in given ? given.id : given
  if (typeof named === 'string' && keeping.vocabularies.has(named)) return named
  const vid = wholeNumber(named)
  for (const [name, number] of keeping.vocabularies) if (number === vid) return name
  return undefined
}

function refuseOwnId(draft: RecordDraft, type: RecordType, tree: Tree): void {
  for (const name of new Set([type.idName, 'id'])) {
    if (isBlank(tree[name])) continue
    draft.placeOf(name).fault('is given by the service; leave it out, or update the record at its own address')
  }
}

/** A new record is nowhere yet, so any computed value but none contradicts the logs. */
function refuseComputed(draft: RecordDraft): void {
  for (const name of Object.keys(draft.computed)) {
    draft.placeOf(name).fault(`is computed and cannot be written; ${draft.fields[name]?.computed}`)
  }
}

interface Attribution {
  readonly created?: number
  readonly uid?: number
}

/** Who moves records in from elsewhere may say who wrote them and when. */
function attributionIn(draft: RecordDraft, tree: Tree): Attribution {
  const top = placeAt('', { faults: draft.faults, words: () => [] })
  const { created, uid } = tree
  const time = isBlank(created) ? undefined : takeTimestamp(timestamp(''), created, top.inside('created'))
  const author = isBlank(uid) ? undefined : takeReference(reference('', 'user'), uid, top.inside('uid'))
  return {
    ...(time === undefined ? {} : { created: time }),
    ...(author?.ref === 'id' ? { uid: author.id } : {}),
  }
}

async function existingAuthor(rows: Writing, draft: RecordDraft, uid: number): Promise<number> {
  const [account] = await lockAccountsToName(rows, [uid])
  if (account === undefined) draft.placeOf('uid').fault(`there is no user with the id ${uid}`)
  return uid
}

/** What a new record says where its writer says nothing. */
function defaults(type: RecordTypeName, { fields, given }: RecordDraft, author: number): Values {
  const owned = type === 'log' && fields.log_owner && !given.has('log_owner')
  return { ...unsetColumns(type), ...(owned ? { log_owner: [author] } : {}) }
}
