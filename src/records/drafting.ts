import type { Farm, RecordType } from '../farm/farm.ts'
import { fieldsOf, presentName, wordsOf } from '../farm/fields-of.ts'
import { type Fields, isWritable, namesWhere } from '../fields/field.ts'
import { takeField } from '../fields/intake.ts'
import { isTree, numberedPlaceAt, type Place, placeAt, shown, type Tree } from '../fields/place.ts'
import type { Draft, Drafts } from '../fields/value.ts'
import { type Fault, Refusal } from '../refusal.ts'

/** What a writer asked for: the drafts of the fields that were given, and those that were given as none. */
export interface RecordDraft {
  readonly fields: Fields
  readonly drafts: Drafts
  /** The fields that were given, and the names that they were given under. */
  readonly given: ReadonlyMap<string, string>
  /** Computed fields in a body that is not an echoed record: right only if they equal what is computed. */
  readonly computed: Drafts
  readonly faults: Fault[]
  placeOf(name: string): Place
}

/** What a writer may send along with a record and the service pays no heed to. */
export const notLookedAt: readonly string[] = ['changed', 'url', 'uri', 'resource', 'parents_all', 'created', 'uid']

export function bodyTree(body: unknown): Tree {
  if (isTree(body)) return body
  throw new Refusal('invalid-content', `The body must be an object with the fields of one record, not ${shown(body)}.`)
}

interface Body {
  readonly type: RecordType
  readonly bundle: string
  readonly tree: Tree
  /** The names that are judged elsewhere: the id and the bundle. */
  readonly judged: readonly string[]
}

/** Reads a body field by field through the one gate, noting every fault. */
export function draftOf(farm: Farm, { type, bundle, tree, judged }: Body): RecordDraft {
  const own = type.bundles[bundle] ?? { label: '', plural: '', fields: {} }
  const fields = fieldsOf(type, own)
  const faults: Fault[] = []
  const kept = new Map<string, readonly number[]>()
  const collected = { faults, kept, words: (list: string) => wordsOf(farm, list) }
  const drafts: Record<string, Draft> = {}
  const computed: Record<string, Draft> = {}
  const given = new Map<string, string>()
  const echoed = 'changed' in tree || 'parents_all' in tree
  for (const sentName in tree) {
    const name = presentName(sentName, own.fields)
    if (notLookedAt.includes(name) || judged.includes(name)) continue
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const place = placeAt(sentName, collected)
    if (field === undefined) {
      place.fault(unknownField(type, bundle, name), writableNames(type, fields))
    } else if (given.has(name)) {
      place.fault(`is given twice, also as ${shown(name)}`)
    } else if (field.computed === undefined || !echoed) {
      given.set(name, sentName)
      const draft = takeField(field, tree[sentName], place)
      if (draft !== undefined) (field.computed === undefined ? drafts : computed)[name] = draft
    }
  }
  const placeOf = (name: string) => numberedPlaceAt(given.get(name) ?? name, collected)
  return { fields, drafts, given, computed, faults, placeOf }
}

const writableNames = (type: RecordType, fields: Fields): readonly string[] =>
  namesWhere(fields, isWritable).filter((name) => name !== type.bundleName)

function unknownField(type: RecordType, bundle: string, name: string): string {
  const owners = Object.entries(type.bundles).filter(([, other]) => Object.hasOwn(other.fields, name))
  if (owners.length === 0) return `${bundle} has no such field`
  return `${bundle} has no such field; it belongs to ${owners.map(([owner]) => owner).join(', ')}`
}

/** Notes every required field that is missing from a new record. */
export function requireFields(draft: RecordDraft, { bundleName }: RecordType): void {
  for (const name in draft.fields) {
    if (draft.fields[name]?.required && name !== bundleName && isMissing(draft, name))
      draft.placeOf(name).fault('is required')
  }
}

/** Notes every required field that an update would empty. */
export function keepRequired(draft: RecordDraft): void {
  for (const [name, field] of Object.entries(draft.fields)) {
    if (field.required && draft.given.has(name) && isMissing(draft, name)) {
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

export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw faultsRefused(faults)
}

export function faultsRefused(faults: readonly Fault[]): Refusal {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new Refusal('invalid-content', `${first?.field}: ${first?.message}${more}.`, { faults })
}
