import type { Farm, RecordType, RecordTypeName } from '../farm/farm.ts'
import {
  asOlderFields,
  fieldsOf,
  isOnlyNewer,
  type OlderField,
  olderFarm,
  olderFields,
  olderWords,
  type PresentBundles,
  withHidden,
} from '../farm/fields-of.ts'
import { type Field, type Fields, isMany, isWritable, namesWhere } from '../fields/field.ts'
import { type InputPlace, isBlank, isTree, numberedPlaceAt, placeAt, shown, type Tree } from '../fields/place.ts'
import { faultOfNewUuid, uuidIn, wholeNumber } from '../fields/scalars.ts'
import { readTimestamp, timestamp, validateTimestamp } from '../fields/time.ts'
import type { Draft, PartDraft, PartValue, RichText, Value, Values } from '../fields/value.ts'
import type { Attribution, NewRecord } from '../records/writing/create.ts'
import { faultsRefused, type RecordDraft, requireFields } from '../records/writing/draft.ts'
import { Refusal, type RefusalFault } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { presentBundles } from '../storage/records/record-lookup.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { KnownChoice, readField, readReference } from './read-field.ts'

/** Members that may be sent and are ignored. */
export const notLookedAt = ['changed', 'url', 'uri', 'resource', 'parents_all', 'created', 'uid', 'version']

export function bodyTree(body: unknown): Tree {
  if (isTree(body)) return body
  throw new Refusal('invalid-content', `The body must be an object with the fields of one record, not ${shown(body)}.`)
}

/** The catalogue by which a body is read, and the address of the farm that it was sent to. */
export interface BodyContext {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<string, number>
  /** Set if it is the same for every request: files are named by it. */
  readonly address?: string | null
  /** The bundles with records, where that matters. */
  readonly present?: PresentBundles
}

interface RecordBody {
  readonly type: RecordType
  readonly bundle: string
  readonly tree: Tree
  /** The current values; undefined for a new record. */
  readonly before?: Values
}

type ChangedBody = Pick<RecordBody, 'type' | 'tree'> & { readonly before: StoredRecord }

/** Reads a body field by field, noting every fault. Its id and bundle are judged elsewhere. */
export function draftOf({ farm, address }: BodyContext, { type, bundle, tree, before }: RecordBody): RecordDraft {
  const own = type.bundles[bundle] ?? { label: '', plural: '', fields: {} }
  const fields = fieldsOf(type, own)
  const known = olderFields(fields)
  const faults: RefusalFault[] = []
  const words = wordsTaken(farm, fields, before)
  const collected = { faults, kept: new Map<string, readonly number[]>(), words, ...(address ? { address } : {}) }
  const judged = [type.bundleName, type.idName, 'id', 'uuid']
  const drafts: Record<string, Draft> = {}
  const computed: Record<string, Draft> = {}
  const given = new Map<string, string>()
  const echoed = 'changed' in tree || 'parents_all' in tree
  for (const sentName in tree) {
    const name = presentName(sentName, own.fields)
    if (notLookedAt.includes(name) || judged.includes(name)) continue
    const place = placeAt(sentName, collected)
    const older = known.get(name)
    if (older === undefined) {
      place.fault(
        unknownField(olderFarm(farm).records[type.name], bundle, name),
        writableNames(type, asOlderFields(fields)),
      )
    } else if (given.has(older.own)) {
      place.fault(`is given twice, also as ${shown(name)}`)
    } else if (older.field.computed === undefined || !echoed) {
      given.set(older.own, sentName)
      const draft = readOlder(before === undefined ? older : hiding(older, fields), tree[sentName], place)
      const asked = before === undefined ? draft : asItWas(older, draft, before[older.own])
      if (asked !== undefined) (older.field.computed === undefined ? drafts : computed)[older.own] = asked
    }
  }
  const placeOf = (name: string) => numberedPlaceAt(given.get(name) ?? name, collected)
  return { fields, drafts, given, computed, faults, placeOf }
}

const hiding = (older: OlderField, fields: Fields): OlderField => {
  const own = fields[older.own]
  return own?.kind === 'part' ? { ...older, field: withHidden(own) } : older
}

/** A yes or no stands for the words of the choice behind it, and the number that stands for none is none. */
function readOlder({ field, choice }: OlderField, input: unknown, place: InputPlace): Draft | undefined {
  if (choice !== undefined && input instanceof KnownChoice) return input.value
  const draft = readField(field, input, place)
  if (field.kind === 'timestamp' && draft === field.unset) return undefined
  if (choice === undefined || draft === undefined) return draft
  return draft === true ? choice.asYesNo.yes : choice.asYesNo.no
}

const writableNames = (type: RecordType, fields: Fields): readonly string[] =>
  namesWhere(fields, isWritable).filter((name) => name !== type.bundleName)

function unknownField(type: RecordType, bundle: string, name: string): string {
  const owners = Object.entries(type.bundles).filter(([, other]) => olderFields(other.fields).has(name))
  if (owners.length === 0) return `${bundle} has no such field`
  return `${bundle} has no such field; it belongs to ${owners.map(([owner]) => owner).join(', ')}`
}

/**
 * 1.x shows less than is stored, so a value sent back as shown keeps the stored one. A boolean may stand for more than
 * two words, and every text is shown in one format.
 */
function asItWas({ field, choice }: OlderField, draft: Draft | undefined, before: Value | undefined) {
  if (choice === undefined) return draft === undefined ? undefined : unchangedDraft(field, draft, before)
  const { yes, no } = choice.asYesNo
  const isStillNo = (draft ?? no) === no && typeof before === 'string' && before !== yes
  return isStillNo ? before : draft
}

function unchangedDraft(field: Field, draft: Draft, before: Value | undefined): Draft {
  if (before === undefined) return draft
  if (field.kind === 'rich-text') return textOf(draft) === textOf(before) ? (before as RichText) : draft
  if (field.kind !== 'part') return draft
  if (!isMany(field)) return unchangedPart(field.fields, draft as PartDraft, before as PartValue)
  const parts = before as readonly PartValue[]
  return (draft as readonly PartDraft[]).map((part, index) => unchangedPart(field.fields, part, parts[index]))
}

const textOf = (text: Draft | Value): string => (text as RichText).value

function unchangedPart(fields: Fields, draft: PartDraft, before: PartValue | undefined): PartDraft {
  const part: Record<string, Draft> = { ...draft.part }
  for (const name in part) {
    const [field, value] = [fields[name], part[name]]
    if (field !== undefined && value !== undefined) part[name] = unchangedDraft(field, value, before?.[name])
  }
  return { ...draft, part }
}

/** The words of each list that are taken: those of this interface, and those that the record has already. */
function wordsTaken(farm: Farm, fields: Fields, before?: Values): (list: string) => readonly string[] {
  if (before === undefined) return (list) => olderWords(farm, list)
  return (list) => {
    const newer = (farm.lists[list] ?? []).filter(isOnlyNewer).map(({ value }) => value)
    if (newer.length === 0) return olderWords(farm, list)
    const had = wordsIn(fields, before, list)
    return [...olderWords(farm, list), ...newer.filter((word) => had.has(word))]
  }
}

function wordsIn(fields: Fields, values: Readonly<Record<string, Value | undefined>>, list: string): Set<Value> {
  const words = new Set<Value>()
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined) continue
    const each = Array.isArray(value) ? value : [value]
    if (field.kind === 'choice' && field.list === list) for (const word of each) words.add(word)
    if (field.kind === 'part')
      for (const part of each) for (const word of wordsIn(field.fields, part, list)) words.add(word)
  }
  return words
}

const prefix = 'field_farm_'

/** The fields that clients of the older internal interface call otherwise than by that prefix and their name. */
const irregular: Readonly<Record<string, string>> = { field_farm_animal_tag: 'tag' }

/** The field's name as records show it, from the name that clients of the older internal interface use. */
export function presentName(name: string, fields: Fields): string {
  if (Object.hasOwn(fields, name) || !name.startsWith(prefix)) return name
  const stripped = name.slice(prefix.length)
  if (Object.hasOwn(fields, stripped)) return stripped
  const other = Object.hasOwn(irregular, name) ? irregular[name] : undefined
  return other !== undefined && Object.hasOwn(fields, other) ? other : name
}

/** The present bundles are looked up only for a body that names an unusual type. */
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

/** The bundle of a new record. */
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

/** Faults of a new record, whatever its bundle. */
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

function refuseOtherIdentity(intake: BodyContext, draft: RecordDraft, { type, tree, before }: ChangedBody): void {
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
