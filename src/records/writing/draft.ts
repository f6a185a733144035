import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RecordType, RecordTypeName } from '../../farm/farm.ts'
import type { Fields } from '../../fields/field.ts'
import type { InputPlace } from '../../fields/place.ts'
import type { Draft, Drafts, Values } from '../../fields/value.ts'
import { computedRules } from '../../history/computed-rules.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import { changesSince } from '../../storage/journal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'

/** A body as parsed by a door: drafts of the given fields, and fields to be emptied. */
export interface RecordDraft {
  readonly fields: Fields
  readonly drafts: Drafts
  /** The fields that were given, and the names that they were given under. */
  readonly given: ReadonlyMap<string, string>
  /** Computed fields that count as said: right only if they equal what is computed. */
  readonly computed: Drafts
  readonly faults: RefusalFault[]
  /** For a log: UUIDs of all its quantities in order; undefined keeps the present ones. */
  readonly quantities?: readonly string[]
  placeOf(name: string): InputPlace
}

/** Notes every required field that is missing from a new record. */
export function requireFields(draft: RecordDraft, { bundleName }: RecordType): void {
  for (const name in draft.fields) {
    if (draft.fields[name]?.required && name !== bundleName && isMissing(draft, name))
      draft.placeOf(name).fault('is required')
  }
}

/** Notes every required field that an update would empty; what is empty already, as it came through another door, may stay so. */
export function keepRequired(draft: RecordDraft, before: Values): void {
  for (const [name, field] of Object.entries(draft.fields)) {
    if (field.required && draft.given.has(name) && before[name] !== undefined && isMissing(draft, name)) {
      draft.placeOf(name).fault('is required and cannot be emptied')
    }
  }
}

function isMissing({ drafts, given, faults }: RecordDraft, name: string): boolean {
  const draft = drafts[name]
  const sentName = given.get(name) ?? name
  if (draft === undefined) return !faults.some(({ field }) => field.split(/[.[]/, 1)[0] === sentName)
  return typeof draft === 'string' && draft.trim() === ''
}

export function refuseFaults(faults: readonly RefusalFault[]): void {
  if (faults.length > 0) throw faultsRefused(faults)
}

export function faultsRefused(faults: readonly RefusalFault[]): Refusal {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new Refusal('invalid-content', `${first?.field}: ${first?.message}${more}.`, { faults })
}

/** Notes that a computed field cannot be given, and what to record instead. */
export function refuseComputed({ fields, placeOf }: RecordDraft, name: string): void {
  const rule = fields[name]?.computed
  if (rule !== undefined) placeOf(name).fault(`is computed and cannot be written; ${computedRules[rule].instead}`)
}

/** A log without an owner gets its author. An explicit null means nobody. */
export const isLeftToDefault = (type: RecordTypeName, { fields, given }: RecordDraft): boolean =>
  type === 'log' && fields.log_owner !== undefined && !given.has('log_owner')

/** Identities of UUIDs in drafts; unknown ones are missing. */
export type NamedByUuid = ReadonlyMap<string, Identity>

/** Looked up for all drafts together. */
export async function namedByUuid(
  snapshot: Snapshot,
  drafts: readonly Pick<RecordDraft, 'drafts' | 'computed'>[],
): Promise<NamedByUuid> {
  const uuids = new Set<string>()
  for (const { drafts: asked, computed } of drafts) {
    for (const name in asked) collect(uuids, asked[name])
    for (const name in computed) collect(uuids, computed[name])
  }
  return identitiesOf(snapshot, [...uuids])
}

function collect(uuids: Set<string>, draft: Draft | undefined): void {
  if (typeof draft !== 'object') return
  if (Array.isArray(draft)) for (const one of draft) collect(uuids, one)
  else if ('part' in draft) for (const name in draft.part) collect(uuids, draft.part[name])
  else if (('ref' in draft && draft.ref === 'uuid') || ('file' in draft && draft.file === 'uuid')) uuids.add(draft.uuid)
}

/** The number of what has this UUID; where nothing has it, what no number is equal to. */
export const numberUnder = (named: NamedByUuid, uuid: string): number | string => named.get(uuid)?.number ?? uuid

let second = 0
let count = 0

/**
 * A UUID for a record that is made now: the time, a count within the second, and 48 random bits. In order of time, so that the index of all
 * of them grows at its end instead of everywhere. Its version digit is 4: clients of the newer generation refuse all above 5.
 */
export function newUuid(now: number): string {
  count = now === second ? count + 1 : 0
  second = now
  const time = (now * 1000).toString(16).padStart(12, '0')
  const high = ((count >> 14) & 0xfff).toString(16).padStart(3, '0')
  const low = (0x8000 | (count & 0x3fff)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-4${high}-${low}-${randomUUID().slice(24)}`
}

/** Refuses to touch a record that has changed since the caller saw it, and tells what has. */
export async function refuseIfChanged(
  snapshot: Snapshot,
  record: StoredRecord,
  seen: readonly number[] | undefined,
): Promise<void> {
  if (seen === undefined || seen.includes(record.revision)) return
  if (seen.length === 0) throw alreadyThere(record)
  const lastSeen = Math.max(0, ...seen)
  if (lastSeen === 0 || lastSeen > record.revision) throw neverSeen(record)
  const changes = await changesSince(snapshot, record, lastSeen)
  const faults = changes.flatMap(({ before, after, at, uid }): RefusalFault[] => {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
    return changed.map((field) => ({ field, message: `was changed by user ${uid} at ${at}` }))
  })
  const what = [...new Set(faults.map(({ field }) => field))].join(', ') || 'it'
  throw new Refusal(
    'precondition-failed',
    `${record.type} ${record.id} has changed since you read it (${what}). Read it again and repeat your change.`,
    { faults },
  )
}

/** A tag of something else, or of the farm before it was put back to an older state: what has changed since, nobody can tell. */
const neverSeen = ({ type, id }: StoredRecord): Refusal =>
  new Refusal(
    'precondition-failed',
    `${type} ${id} does not have the tag in If-Match. Read it again and repeat your change with its own.`,
  )

const alreadyThere = ({ type, id }: StoredRecord): Refusal =>
  new Refusal(
    'precondition-failed',
    `${type} ${id} is there, and with If-None-Match: * you asked that it is not. Leave the header out to change it.`,
  )

/** A revision of a record of one farm. The same number means another record's past in a farm that took its place. */
export const versionOf = (revision: number, edition: string): string => `${revision}.${edition}`

/** No record ever has it. */
const noRevision = 0

/** The revision of this farm that a version names, alone or at the beginning of a tag; one that no record has where it is of another farm. */
function revisionIn(version: string, edition: string): number {
  const [, revision, seen] = /^(\d{1,15})\.([\w-]+)(?:\.|$)/.exec(version) ?? []
  return seen === edition ? Number(revision) : noRevision
}

export const matchForm = 'the ETag of a record as it was read, in its quotes, or its version, or *'

/** Tags and versions with commas between, or a star. A version is taken with quotes and without. */
export const isMatch = (match: string): boolean =>
  match.trim() === '*' || match.split(',').every((one) => /^(?:(?:W\/)?"[^"]*"|\d{1,15}\.[\w-]+)$/.test(one.trim()))

/** The revisions that it names; undefined where any will do. */
export const revisionsNamed = (match: string, edition: string): readonly number[] | undefined =>
  match.trim() === '*'
    ? undefined
    : match.split(',').map((one) => revisionIn(one.trim().replace(/^(?:W\/)?"|"$/g, ''), edition))
