import { isDeepStrictEqual } from 'node:util'
import type { Bundle, Farm } from '../../../farm/farm.ts'
import { fieldsOfBundle, once } from '../../../farm/fields-of.ts'
import { isRelationship, type Member, type MemberRule, type ResourceType } from '../../../farm/newer/resource-type.ts'
import { withNewerTraits } from '../../../farm/newer/resource-types.ts'
import { type Field, type Fields, isMany } from '../../../fields/field.ts'
import { isTree } from '../../../fields/place.ts'
import type { Draft, FileDraft, ReferenceDraft, Values } from '../../../fields/value.ts'
import type { RecordDraft } from '../../../records/writing/draft.ts'
import { Refusal, type RefusalFault } from '../../../refusal.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { type ApiResource, keyOf, type NumberedRef, type ResourceRef, refsIn } from '../documents/identifiers.ts'
import { readAttribute, type SentTo } from '../values/attributes.ts'
import { readFraction } from '../values/fraction.ts'
import {
  linkageIn,
  namesToFill,
  type ResolvedLinks,
  refuseNoPlaces,
  resolveLinks,
  type SentLinkage,
} from './linkage.ts'
import { draftsByRules, type FieldDrafts, idsAmong, references, type SentMember } from './member-rule-drafts.ts'
import { placeOfField, SentPlace, type SentResource } from './request-body.ts'

/** A body, read as far as possible without its record. */
interface SentBody {
  readonly farm: Farm
  readonly type: ResourceType
  readonly now: number
  readonly attributes: readonly SentAttribute[]
  readonly linkages: readonly SentLinkage[]
  readonly links: ResolvedLinks
  /** Names of terms that fill an empty text, by id. */
  readonly names: ReadonlyMap<number, string>
  readonly faults: readonly RefusalFault[]
}

interface SentAttribute {
  readonly member: Member
  readonly input: unknown
}

interface BodyContext {
  readonly farm: Farm
  /** The caller. */
  readonly uid: number
  readonly type: ResourceType
  readonly now: number
  readonly resource: SentResource
}

/** Reads the members of a body, and looks up all its targets. */
export async function readSentBody(
  snapshot: Snapshot,
  { farm, uid, type, now, resource }: BodyContext,
): Promise<SentBody> {
  const faults: RefusalFault[] = []
  const collected = { faults, words: () => [] }
  const placeOf = (kind: 'attributes' | 'relationships', name: string) => new SentPlace(['data', kind, name], collected)
  const attributes: SentAttribute[] = []
  for (const [name, input] of Object.entries(resource.attributes)) {
    const member = memberNamed(type, name)
    if (member === undefined)
      placeOf('attributes', name).fault(`${type.name} has no such attribute`, namesOf(type, 'attribute'))
    else if (isRelationship(member)) placeOf('attributes', name).fault('is a relationship, not an attribute')
    else if (member.given === 'taken') attributes.push({ member, input })
  }
  const linkages: SentLinkage[] = []
  for (const [name, sent] of Object.entries(resource.relationships)) {
    const place = placeOf('relationships', name)
    const member = memberNamed(type, name)
    if (member === undefined) place.fault(`${type.name} has no such relationship`, namesOf(type, 'relationship'))
    else if (!isRelationship(member)) place.fault('is an attribute, not a relationship')
    // A relationship without `data` changes nothing.
    else if (member.given === 'taken' && isTree(sent) && sent.data !== undefined)
      linkages.push(linkageIn(farm, member, { data: sent.data, place: place.inside('data') }))
  }
  const links = await resolveLinks(snapshot, { farm, uid }, linkages)
  await refuseNoPlaces(snapshot, linkages, links)
  const names = await namesToFill(snapshot, links, { farm, type, linkages })
  return { farm, type, now, attributes, linkages, links, names, faults }
}

function memberNamed({ members }: ResourceType, name: string): Member | undefined {
  return members.get(name) ?? [...members.values()].find(({ alias }) => alias === name)
}

const namesOf = ({ members }: ResourceType, wanted: 'attribute' | 'relationship'): readonly string[] =>
  [...members.values()].flatMap((member) =>
    isRelationship(member) === (wanted === 'relationship') && member.given === 'taken' ? [member.name] : [],
  )

/** The bundle of a new record; if a type has several, a word of the draft decides. */
export function bundleFor({ farm, type, attributes }: SentBody): string {
  const [first = ''] = type.bundles
  if (type.bundles.length === 1) return first
  const by = type.bundles.map((name) => ({ name, by: bundleNamed(farm, type, name)?.newer?.by }))
  const field = by.find((one) => one.by !== undefined)?.by?.field
  const sent = attributes.find(({ member }) => member.source.of === 'field' && member.source.field === field)?.input
  const found = by.find((one) => one.by?.word !== undefined && one.by.word === sent)
  return (found ?? by.find((one) => one.by?.word === undefined))?.name ?? first
}

const bundleNamed = (farm: Farm, { record }: ResourceType, name: string): Bundle | undefined =>
  farm.records[record].bundles[name]

/** The fields of a bundle with the constraints of /api. */
const newerFields = once(
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withNewerTraits(field)])),
)

/** The target of a draft: a new record of a bundle, or an existing one. */
type DraftFor = { readonly bundle: string } | { readonly before: StoredRecord; readonly shown: ApiResource }

export interface ResourceDraft extends RecordDraft {
  /** UUIDs of a log's quantities in order; undefined if they were not sent. */
  readonly quantities?: readonly string[]
}

/** The default name of a log. */
export const nameOfLog = ({ label }: ResourceType, id: number): string => `${label} log ${id}`

/** Drafts of the record's stored fields. */
export function draftFor(sent: SentBody, target: DraftFor): ResourceDraft {
  const { farm, type } = sent
  const bundle = 'before' in target ? target.before.bundle : target.bundle
  const fields = newerFields(fieldsOfBundle(farm.records[type.record], bundle))
  const faults = [...sent.faults]
  const collected = { faults, words: (list: string) => (farm.lists[list] ?? []).map(({ value }) => value) }
  const given = new Map<string, string>()
  const drafts: Record<string, Draft> = {}
  const take = (field: string, name: string, draft: Draft | undefined) => {
    if (!Object.hasOwn(fields, field)) return
    given.set(field, name)
    if (draft === undefined) delete drafts[field]
    else drafts[field] = draft
  }
  const ruled = new Map<MemberRule, SentMember>()
  let quantities: readonly string[] | undefined
  for (const { member, input } of attributesGiven(sent, target)) {
    const place = new SentPlace(['data', 'attributes', member.name], collected)
    const draft = readMember(member, input, { farm, place })
    if (member.source.of === 'rule') ruled.set(member.source.rule, { is: 'attribute', draft, place })
    else if (member.source.of === 'field') take(member.source.field, member.name, keptDraft(member, draft))
  }
  for (const linkage of linkagesGiven(sent, target)) {
    const { member } = linkage
    const things = sent.links.thingsOf(linkage)
    const place = new SentPlace(['data', 'relationships', member.name, 'data'], collected)
    if (member.source.of === 'rule' && member.source.rule === 'log quantities')
      quantities = linkage.identifiers.map(({ id }) => id.toLowerCase())
    else if (member.source.of === 'rule') ruled.set(member.source.rule, { is: 'relationship', things, place })
    else for (const [field, draft] of Object.entries(linkageDrafts(member, things))) take(field, member.name, draft)
  }
  const before = 'before' in target ? target.before.values : {}
  for (const [field, draft] of filledTexts(sent, fields, { drafts, before })) take(field, field, draft)
  if ('before' in target && type.record === 'log' && given.has('name') && (drafts.name ?? '') === '')
    drafts.name = nameOfLog(type, target.before.id)
  if (!('before' in target)) fillDefaults(sent, ruled, { given, drafts, collected })
  for (const [rule, byRule] of draftsByRules({ farm, type, fields, members: ruled, before, now: sent.now })) {
    for (const [field, draft] of Object.entries(byRule)) take(field, memberOfRule(type, rule), draft)
  }
  faults.push(...sent.links.missing)
  const placeOf = (field: string) => placeOfField(type, field, { given, collected })
  if (!('before' in target)) requireMembers(sent, ruled, collected)
  return { fields, drafts, given, computed: {}, faults, placeOf, ...(quantities === undefined ? {} : { quantities }) }
}

/** Leaves out attributes equal to what is shown, also derived, joined or rounded ones. */
function attributesGiven({ attributes }: SentBody, target: DraftFor): readonly SentAttribute[] {
  if (!('before' in target)) return attributes
  return attributes.filter(({ member, input }) => !isAsShown(member, input, target.shown.attributes[member.name]))
}

function isAsShown({ field }: Member, input: unknown, was: unknown): boolean {
  if (isDeepStrictEqual(input, was)) return true
  if (field.kind !== 'geometry' || !isTree(was)) return false
  return (isTree(input) ? input.value : input) === was.value
}

function linkagesGiven({ linkages, links }: SentBody, target: DraftFor): readonly SentLinkage[] {
  if (!('before' in target)) return linkages
  const keysOf = (things: readonly ResourceRef[]) => things.map(keyOf).join()
  return linkages.filter((linkage) => {
    const { member, identifiers } = linkage
    const things = links.thingsOf(linkage)
    const isWhole = things.length === identifiers.length && member.field.kind !== 'attachment'
    return !isWhole || keysOf(things) !== keysOf(refsIn(target.shown.relationships[member.name]))
  })
}

function readMember({ field, source }: Member, input: unknown, { farm, place }: SentTo): Draft | undefined {
  if (source.of === 'rule' && source.rule === 'fraction') return readFraction(input, place)
  if (source.of === 'rule' && source.rule === 'archived' && typeof input === 'boolean') return input
  return readAttribute(field, input, { farm, place })
}

const keptDraft = ({ source }: Member, draft: Draft | undefined): Draft | undefined =>
  source.of === 'field' && source.opposite ? draft !== true : draft

/** Stored form of a relationship: references in one or two fields, or files. */
function linkageDrafts({ field, source }: Member, things: readonly NumberedRef[]): FieldDrafts {
  if (source.of === 'two fields')
    return {
      [source.assets]: heldDraft(field, references(idsAmong(things, 'asset'))),
      [source.areas]: heldDraft(field, references(idsAmong(things, 'term'))),
    }
  if (source.of !== 'field') return {}
  if (field.kind === 'attachment') {
    const files = things.map(({ id, meta = {} }): FileDraft => ({ file: 'kept', id, texts: meta }))
    return { [source.field]: files.length === 0 ? undefined : files }
  }
  return { [source.field]: heldDraft(field, references(things.map(({ id }) => id))) }
}

const heldDraft = (field: Field, drafts: readonly Draft[] | undefined): Draft | undefined =>
  isMany(field) ? drafts : drafts?.[0]

interface DraftState {
  readonly drafts: Readonly<Record<string, Draft>>
  readonly before: Values
}

/** Fills empty texts with the names of targets. */
function filledTexts(
  { names }: SentBody,
  fields: Fields,
  { drafts, before }: DraftState,
): readonly (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([own, field]) => {
    if (field.kind !== 'reference' || field.fills === undefined) return []
    const draft = drafts[own] as ReferenceDraft | undefined
    const name = draft?.ref === 'id' ? names.get(draft.id) : undefined
    const isEmpty = (drafts[field.fills] ?? before[field.fills] ?? '') === ''
    return name === undefined || !isEmpty ? [] : [[field.fills, name] as const]
  })
}

interface DraftParts {
  readonly given: Map<string, string>
  readonly drafts: Record<string, Draft>
  readonly collected: ConstructorParameters<typeof SentPlace>[1]
}

/** Default values of a new record. */
function fillDefaults(
  { type, now }: SentBody,
  ruled: Map<MemberRule, SentMember>,
  { given, drafts, collected }: DraftParts,
): void {
  for (const { name, source, default: draft } of type.members.values()) {
    if (draft === undefined || source.of !== 'rule') continue
    // A sent time of archiving already sets the status.
    if (source.rule === 'asset status' && ruled.has('archived')) continue
    const earlier = ruled.get(source.rule)
    if (earlier?.is === 'attribute' && earlier.draft !== undefined) continue
    if (earlier !== undefined && draft === true) continue
    ruled.set(source.rule, { is: 'attribute', draft, place: new SentPlace(['data', 'attributes', name], collected) })
  }
  if (type.record !== 'log') return
  if (drafts.timestamp === undefined) drafts.timestamp = now
  // The default owner of a log is nobody.
  if (!given.has('log_owner')) given.set('log_owner', 'owner')
}

function requireMembers(
  { type }: SentBody,
  ruled: ReadonlyMap<MemberRule, SentMember>,
  collected: DraftParts['collected'],
): void {
  for (const { name, field, source } of type.members.values()) {
    if (!field.required || source.of !== 'rule') continue
    const member = ruled.get(source.rule)
    const place = new SentPlace(['data', 'attributes', name], collected)
    const isMissing = member?.is !== 'attribute' || member.draft === undefined
    if (isMissing && !collected.faults.some(({ pointer }) => pointer === place.faultOf('').pointer))
      place.fault('is required')
  }
}

const memberOfRule = ({ members }: ResourceType, rule: MemberRule): string =>
  [...members.values()].find(({ source }) => source.of === 'rule' && source.rule === rule)?.name ?? rule

/** Missing targets give 404, if the body has no other fault. */
export function refuseMissing({ links: { missing } }: SentBody, { faults }: ResourceDraft): void {
  const [first] = missing
  if (first === undefined || faults.length > missing.length) return
  throw new Refusal('not-found', `${first.field}: ${first.message}.`, { faults: missing })
}
