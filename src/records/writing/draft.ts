import type { RecordType, RecordTypeName } from '../../farm/farm.ts'
import type { Fields } from '../../fields/field.ts'
import type { InputPlace } from '../../fields/place.ts'
import type { Drafts, Values } from '../../fields/value.ts'
import { computedRules } from '../../history/computed-rules.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'

/** What a writer asked for, as a door has read it: the drafts of the fields that were given, and those that were given as none. */
export interface RecordDraft {
  readonly fields: Fields
  readonly drafts: Drafts
  /** The fields that were given, and the names that they were given under. */
  readonly given: ReadonlyMap<string, string>
  /** Computed fields that count as said: right only if they equal what is computed. */
  readonly computed: Drafts
  readonly faults: RefusalFault[]
  /** Of a log: the UUIDs of all the quantities that it is to have, in this order; where nothing is said of them, it keeps what it has. */
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

/** Whether a log does not say who it is for: then it is its author's. Who says nobody means nobody. */
export const isLeftToDefault = (type: RecordTypeName, { fields, given }: RecordDraft): boolean =>
  type === 'log' && fields.log_owner !== undefined && !given.has('log_owner')
