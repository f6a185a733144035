import type { RecordType, RecordTypeName } from '../farm/farm.ts'
import { olderFarm } from '../farm/older-farm.ts'
import { olderFields } from '../farm/older-fields.ts'
import { isBlank, isTree, placeAt, shown, type Tree } from '../fields/place.ts'
import { wholeNumber } from '../fields/scalars.ts'
import { readTimestamp, timestamp, validateTimestamp } from '../fields/time.ts'
import { faultOfNewUuid, uuidIn } from '../fields/uuid.ts'
import type { Attribution, NewRecord } from '../records/writing/create.ts'
import { faultsRefused, type RecordDraft, requireFields } from '../records/writing/draft.ts'
import type { RefusalFault } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { presentBundles } from '../storage/records/all-records.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { readReference } from './read-reference.ts'
import { type BodyContext, bodyTree, draftOf } from './record-draft.ts'

/** Whether there are records of what only the newer generation has is asked only for a body that names another type than is always there. */
export async function contextOfNew(
  snapshot: Snapshot,
  intake: BodyContext,
  { type, bodies }: { readonly type: RecordTypeName; readonly bodies: readonly unknown[] },
): Promise<BodyContext> {
  const always = olderFarm(intake.farm).records[type]
  const isUsual = (body: unknown) => bundleGiven(intake, always, isTree(body) ? body : {}) !== undefined
  return bodies.every(isUsual) ? intake : { ...intake, present: await presentBundles(snapshot) }
}

/** The body of a POST as the record that it asks for. */
export function newRecordIn(intake: BodyContext, typeName: RecordTypeName, body: unknown): NewRecord {
  const type = intake.farm.records[typeName]
  const tree = bodyTree(body)
  const bundle = bundleIn(intake, type, tree)
  const draft = draftOf(intake, { type, bundle, tree })
  refuseOwnId(draft, type, tree)
  draft.faults.push(...faultsOfUuid(tree))
  return { type: typeName, bundle, draft, attribution: attributionIn(tree) }
}

/** Which log type, asset type or vocabulary a new record belongs to. */
function bundleIn(intake: BodyContext, type: RecordType, tree: Tree): string {
  const older = olderFarm(intake.farm, intake.present).records[type.name]
  const bundle = bundleGiven(intake, older, tree)
  if (bundle !== undefined) return bundle
  const given = tree[type.bundleName]
  const message = isBlank(given) ? 'is required' : `there is no ${type.bundleName} ${shown(given)}`
  throw faultsRefused([
    { field: type.bundleName, message, allowed: Object.keys(older.bundles) },
    ...faultsWithoutBundle(intake, type, tree),
    ...faultsOfUuid(tree),
  ])
}

function bundleGiven(intake: BodyContext, { bundleName, bundles }: RecordType, tree: Tree): string | undefined {
  const given = tree[bundleName]
  const bundle = bundleName === 'vocabulary' ? vocabularyIn(intake, given) : given
  return typeof bundle === 'string' && Object.hasOwn(bundles, bundle) ? bundle : undefined
}

/** What is wrong with a new record whatever its bundle is. */
function faultsWithoutBundle(intake: BodyContext, type: RecordType, tree: Tree): readonly RefusalFault[] {
  const known = olderFields(type.properties)
  const standing = Object.entries(tree).filter(([name]) => known.has(name))
  const draft = draftOf(intake, { type, bundle: '', tree: Object.fromEntries(standing) })
  requireFields(draft, type)
  return draft.faults
}

/** A vocabulary is given as its number, `{"id": number}` or its machine name. */
export function vocabularyIn({ vocabularies }: Pick<BodyContext, 'vocabularies'>, given: unknown): string | undefined {
  const named = typeof given === 'object' && given !== null && 'id' in given ? given.id : given
  if (typeof named === 'string' && vocabularies.has(named)) return named
  const vid = wholeNumber(named)
  for (const [name, number] of vocabularies) if (number === vid) return name
  return undefined
}

function refuseOwnId(draft: RecordDraft, type: RecordType, tree: Tree): void {
  for (const name of new Set([type.idName, 'id'])) {
    if (isBlank(tree[name])) continue
    draft.placeOf(name).fault('is given by the service; leave it out, or update the record at its own address')
  }
}

function attributionIn({ created, uid }: Tree): Attribution {
  const faults: RefusalFault[] = []
  const top = placeAt('', { faults, words: () => [] })
  const seconds = isBlank(created) ? undefined : readTimestamp({}, created, top.inside('created'))
  const time = seconds === undefined ? undefined : validateTimestamp(timestamp(''), seconds, top.inside('created'))
  const author = isBlank(uid) ? undefined : readReference({ to: 'user' }, uid, top.inside('uid'))
  if (author?.ref === 'uuid') top.inside('uid').fault('a user is known by no UUID here; give the id')
  return {
    ...(time === undefined ? {} : { created: time }),
    ...(author?.ref === 'id' ? { uid: author.id } : {}),
    faults,
  }
}

/** The body of a PUT as what it asks for of a record. */
export function changeIn(intake: BodyContext, body: unknown): (before: StoredRecord) => RecordDraft {
  const tree = bodyTree(body)
  return (before) => {
    const type = intake.farm.records[before.type]
    const draft = draftOf(intake, { type, bundle: before.bundle, tree, before: before.values })
    refuseOtherIdentity(intake, draft, { type, tree, before })
    return draft
  }
}

interface Identity {
  readonly type: RecordType
  readonly tree: Tree
  readonly before: StoredRecord
}

function refuseOtherIdentity(intake: BodyContext, draft: RecordDraft, { type, tree, before }: Identity): void {
  for (const name of new Set([type.idName, 'id'])) {
    const given = tree[name]
    if (isBlank(given) || wholeNumber(given) === before.id) continue
    draft.placeOf(name).fault(`cannot be changed from ${before.id} to ${shown(given)}`)
  }
  if (!isBlank(tree.uuid) && uuidIn(tree.uuid) !== before.uuid) {
    draft.placeOf('uuid').fault(`cannot be changed from ${before.uuid} to ${shown(tree.uuid)}`)
  }
  const given = tree[type.bundleName]
  if (isBlank(given)) return
  const bundle = type.bundleName === 'vocabulary' ? vocabularyIn(intake, given) : given
  if (bundle !== before.bundle) {
    draft.placeOf(type.bundleName).fault(`cannot be changed from ${before.bundle} to ${shown(given)}`)
  }
}

/** The UUID that the sender of a body has chosen for what is to be made; one that is none is a fault of the body. */
export const ownUuidIn = (body: unknown): string | undefined =>
  isTree(body) && faultsOfUuid(body).length === 0 ? uuidIn(body.uuid) : undefined

export function faultsOfUuid({ uuid }: Tree): readonly RefusalFault[] {
  const message = isBlank(uuid) ? undefined : faultOfNewUuid(uuid)
  return message === undefined ? [] : [{ field: 'uuid', message }]
}
