import { isDeepStrictEqual } from 'node:util'
import { entriesOf, once } from '../../farm/fields-of.ts'
import type { Field, Fields, PartField, ReferenceField } from '../../fields/field.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { InputPlace } from '../../fields/place.ts'
import { unprintable } from '../../fields/text.ts'
import type {
  Draft,
  Drafts,
  FileDraft,
  PartDraft,
  PartValue,
  ReferenceDraft,
  Value,
  Values,
} from '../../fields/value.ts'
import { lockAccountsToName } from '../../storage/access/account-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import type { Identity } from '../../storage/identity.ts'
import { bundlesOfLocked } from '../../storage/records/record-rows.ts'
import { claimTerms, termsByKeys } from '../../storage/records/term-rows.ts'
import { must } from '../../storage/sql/fragment.ts'
import { attachmentsOf, type WantedFiles } from './attachments.ts'
import type { NamedByUuid, RecordDraft } from './draft.ts'
import { newTerm } from './new-term.ts'
import { storeNew } from './storing.ts'
import type { RecordWriteContext, WriteContext } from './write-context.ts'

type TargetType = ReferenceField['to']

/** Targets of drafts. */
export interface ReferenceTargets {
  /** The bundle of each record that is referred to by its id; those that do not exist are missing. */
  bundleOf(to: TargetType, id: number): string | undefined
  /** Undefined where there is no such term, and can be none. */
  termNamed(vocabulary: string, name: string): number | undefined
  /** The record of a UUID, if any. */
  named(uuid: string): Identity | undefined
  /** The files that the draft of an attachment stands for. */
  filesOf(draft: Draft): readonly number[]
}

/** One record that is to be written. */
export interface RecordWrite {
  readonly write: RecordWriteContext
  readonly draft: RecordDraft
}

/**
 * Looks up the targets of all drafts at once: one query per record type and vocabulary. Creates missing named terms,
 * and stores files.
 */
export async function targetsOf(
  work: WriteContext,
  wanted: readonly RecordWrite[],
  named: NamedByUuid,
): Promise<ReferenceTargets> {
  const asked: LookUps = { ids: new Map(), names: new Map(), files: [], named }
  for (const { write, draft } of wanted) {
    collect(asked, write, { ...draft, before: write.before })
  }
  const terms = new Map<string, ReadonlyMap<string, number>>()
  const files = new Map<Draft, readonly number[]>()
  const found = [...asked.ids].map(async ([to, ids]) => [to, await bundlesOf(work, to, [...ids])] as const)
  const bundles = new Map(await Promise.all(found))
  for (const [vocabulary, names] of asked.names) terms.set(vocabulary, await termsNamed(work, vocabulary, names))
  for (const one of asked.files) files.set(one.drafts, await attachmentsOf(one))
  return {
    bundleOf: (to, id) => bundles.get(to)?.get(id),
    named: (uuid) => named.get(uuid),
    termNamed: (vocabulary, name) => terms.get(vocabulary)?.get(trimmedTextKey(name)),
    filesOf: (draft) => must(files.get(draft)),
  }
}

interface LookUps {
  readonly ids: Map<TargetType, Set<number>>
  readonly names: Map<string, Map<string, string>>
  readonly files: WantedFiles[]
  readonly named: NamedByUuid
}

/** The earlier values of a record or a part. */
export type EarlierValues = Readonly<Record<string, Value | undefined>>

/** The drafts of a record or a part, and the places of its fields in the body. */
export interface DraftedFields {
  readonly fields: Fields
  readonly drafts: Drafts
  placeOf(name: string): InputPlace
}

interface Holder extends DraftedFields {
  readonly before: EarlierValues
}

/** One field of a record or a part. */
export interface DraftSpot {
  readonly before: Value | undefined
  readonly place: () => InputPlace
}

function collect(asked: LookUps, write: RecordWriteContext, { fields, drafts, before, placeOf }: Holder): void {
  for (const name in fields) {
    const field: Field | undefined = fields[name]
    const draft = drafts[name]
    if (field === undefined || draft === undefined) continue
    if (field.kind === 'reference') {
      collectReferences(field, { own: write.bundle, draft, before: before[name] }, asked)
    } else if (field.kind === 'attachment') {
      const files = { drafts: draft as readonly FileDraft[], before: (before[name] ?? []) as readonly number[] }
      asked.files.push({ write, field, place: placeOf(name), named: asked.named, ...files })
    } else if (field.kind === 'part') {
      const spot = { before: before[name], place: () => placeOf(name) }
      for (const part of partsOf(field, draft, spot)) collect(asked, write, part)
    }
  }
}

interface References {
  /** The bundle of the record with the reference. */
  readonly own: string
  readonly draft: Draft
  readonly before: Value | undefined
}

function collectReferences(field: ReferenceField, { own, draft, before }: References, asked: LookUps): void {
  const already = hadBefore(before)
  for (const one of draftsIn<ReferenceDraft>(draft)) {
    if (one.ref === 'name') {
      const names = asked.names.get(vocabularyOf(field, own)) ?? new Map<string, string>()
      const key = trimmedTextKey(one.name)
      asked.names.set(vocabularyOf(field, own), names.set(key, names.get(key) ?? one.name))
      continue
    }
    const id = one.ref === 'id' ? one.id : idUnder(field, asked.named.get(one.uuid))
    if (id === undefined || already.has(id)) continue
    const ids = asked.ids.get(field.to) ?? new Set<number>()
    asked.ids.set(field.to, ids.add(id))
  }
}

/** The id of a record under a UUID, where it is one that the field can refer to. */
export const idUnder = ({ to }: ReferenceField, identity: Identity | undefined): number | undefined =>
  identity?.type === to && identity.removed === null ? identity.number : undefined

/** The vocabulary of a term given by name. */
export const vocabularyOf = ({ within }: ReferenceField, own: string): string =>
  within === 'own' ? own : (within?.[0] ?? own)

/** The references that a field had before; they need not be looked up again. */
export const hadBefore = (before: Value | undefined): ReadonlySet<Value> =>
  before === undefined ? nothing : new Set(Array.isArray(before) ? before : [before])

const nothing: ReadonlySet<Value> = new Set()

/** A field has one draft or a list of them. */
export const draftsIn = <D extends Draft>(draft: Draft): readonly D[] =>
  (Array.isArray(draft) ? draft : [draft]) as readonly D[]

/** The parts that a field had before, whether it has one or a list of them. */
export const partsIn = (before: Value | undefined): readonly PartValue[] =>
  (Array.isArray(before) ? before : before === undefined ? [] : [before]) as readonly PartValue[]

/** The parts that a draft asks for, each with the one that was there before. */
export function partsOf({ fields }: PartField, draft: Draft, { before, place }: DraftSpot): readonly Holder[] {
  const old = partsIn(before)
  return draftsIn<PartDraft>(draft).map(({ part }, index) => ({
    fields,
    drafts: part,
    before: old[index] ?? {},
    placeOf: (name) => itemPlace(draft, index, place).inside(name),
  }))
}

/** The place of one draft of a field; lists have indexes. */
export const itemPlace = (draft: Draft, index: number, place: () => InputPlace): InputPlace =>
  Array.isArray(draft) ? place().inside(index) : place()

/** A user counts as one while not blocked. */
async function bundlesOf(
  { tx, installation }: WriteContext,
  to: TargetType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (to === 'user') {
    const accounts = await lockAccountsToName(tx, ids)
    return new Map(accounts.filter((account) => !account.blocked).map((account) => [account.uid, 'user']))
  }
  if (to === 'vocabulary') return new Map([...installation.vocabularies].map(([name, vid]) => [vid, name]))
  return bundlesOfLocked(tx, to, ids)
}

/** Each name as it was given, by the key that all its spellings share. */
type Names = ReadonlyMap<string, string>

/** The ids of the terms that these names stand for, by their keys; those that there are none of yet are created, unless no term may be called so. */
async function termsNamed(work: WriteContext, vocabulary: string, names: Names): Promise<ReadonlyMap<string, number>> {
  const { tx, installation, caller, set } = work
  const there = await lockedTerms(tx, vocabulary, [...names.keys()])
  const unknown = [...names].filter(([key]) => !there.has(key))
  if (unknown.length === 0) return there
  const keys = unknown.map(([key]) => key)
  await claimTerms(tx, vocabulary, keys)
  const meanwhile = await lockedTerms(tx, vocabulary, keys)
  const now = installation.clock()
  const missing = unknown.filter(([key, name]) => !meanwhile.has(key) && !unprintable.test(name))
  const records = missing.map(([, name]) => newTerm({ bundle: vocabulary, name, uid: caller.uid, now }))
  const created = await storeNew(tx, installation.farm, { type: 'term', records, set })
  for (const { uuid } of created) set.termsByName.add(uuid)
  return new Map([...there, ...meanwhile, ...missing.map(([key], index) => [key, must(created[index]).id] as const)])
}

/** Found and locked: between the two somebody else may have removed one. */
async function lockedTerms(
  tx: Transaction,
  vocabulary: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  for (;;) {
    const found = await termsByKeys(tx, vocabulary, keys)
    const there = await bundlesOfLocked(tx, 'term', [...found.values()])
    if (there.size === found.size) return found
  }
}

/** The final values of a record, after dependent fields are adjusted. */
export function settled(
  { fields, given }: Pick<RecordDraft, 'fields' | 'given'>,
  values: Values,
  before?: Values,
): Values {
  const { cut, about, ofRevision, parts } = dependingIn(fields)
  const fit: Record<string, Value> = { ...values }
  for (const [name, to] of cut) replace(fit, name, cutTo(values[name], values[to]))
  for (const [name, other] of about) {
    if (before !== undefined && !given.has(name) && !isDeepStrictEqual(before[other], values[other])) delete fit[name]
  }
  for (const [name, inside] of parts) replace(fit, name, partsFit(fit[name], inside, { fields, values }))
  if (before === undefined || isDeepStrictEqual(fit, before)) return fit
  for (const name of ofRevision) if (!given.has(name)) delete fit[name]
  return fit
}

function replace(values: Record<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) delete values[name]
  else values[name] = value
}

const isDependent = (field: Field): boolean => isAlone(field) || field.cutTo !== undefined

const isAlone = (field: Field): boolean => field.kind === 'yes-no' && field.alone === true

/** The fields of a record that depend on others, found once. */
const dependingIn = once((fields: Fields) => ({
  cut: entriesOf(fields).flatMap(([name, { cutTo: to }]) =>
    to !== undefined && Object.hasOwn(fields, to) ? [[name, to] as const] : [],
  ),
  about: entriesOf(fields).flatMap(([name, { about }]) => (about === undefined ? [] : [[name, about] as const])),
  ofRevision: entriesOf(fields).flatMap(([name, { ofRevision }]) => (ofRevision ? [name] : [])),
  parts: entriesOf(fields).flatMap(([name, field]) =>
    field.kind === 'part' && Object.values(field.fields).some(isDependent) ? [[name, field.fields] as const] : [],
  ),
}))

/** The intersection of two lists; undefined if empty. */
function cutTo(list: Value | undefined, other: Value | undefined): Value | undefined {
  const most = new Set(Array.isArray(other) ? other : [])
  const rest = (Array.isArray(list) ? list : []).filter((one) => most.has(one))
  return rest.length === 0 ? undefined : rest
}

/** A record, as far as it is known. */
interface SurroundingFields {
  readonly fields: Fields
  readonly values: Values
}

function partsFit(value: Value | undefined, inside: Fields, around: SurroundingFields): Value | undefined {
  const parts = partsIn(value).map((part) => partFit(part, inside, around))
  return Array.isArray(value) ? parts : parts[0]
}

function partFit(part: PartValue, inside: Fields, { fields, values }: SurroundingFields): PartValue {
  const fit: Record<string, Value> = { ...part } as Values
  for (const [name, { cutTo: to }] of entriesOf(inside)) {
    if (to !== undefined && Object.hasOwn(fields, to)) replace(fit, name, cutTo(part[name], values[to]))
  }
  const said = Object.keys(fit).filter((name) => name !== 'uuid')
  for (const name of said) {
    const field = inside[name]
    if (field !== undefined && isAlone(field) && said.length > 1) delete fit[name]
  }
  return { ...fit, uuid: part.uuid }
}
