import { isDeepStrictEqual } from 'node:util'
import type { Field, FieldOf, Fields } from '../../fields/field.ts'
import type { LinkedKind } from '../../fields/kind.ts'
import { isPlain } from '../../fields/kinds.ts'
import type { Draft, Drafts, PartDraft, PartValue, ReferenceDraft, Value } from '../../fields/value.ts'
import { type StoredRecord, unsetColumns } from '../../storage/records/stored.ts'
import type { RecordDraft } from './draft.ts'
import { draftsIn, partsIn } from './targets.ts'

/**
 * True if a draft certainly changes nothing, judged without the database; it saves the cost of a write. Names, UUIDs
 * and files are not resolved.
 */
export function saysNothingNew({ fields, drafts, given, faults }: RecordDraft, before: StoredRecord): boolean {
  if (faults.length > 0) return false
  return [...given.keys()].every((name) => {
    const field = fields[name]
    const draft = drafts[name]
    if (field === undefined || field.computed !== undefined) return false
    if (draft === undefined) return before.values[name] === unsetColumns[before.type][name]
    return isSame(field, draft, before.values[name])
  })
}

function isSame(field: Field, draft: Draft | undefined, value: Value | undefined): boolean {
  if (field.kind === 'yes-no') return (draft === true) === (value === true)
  if (draft === undefined || value === undefined) return draft === value
  return isPlain(field) ? isDeepStrictEqual(draft, value) : isSameLinked(field, draft, value)
}

type SameTable = { readonly [K in LinkedKind]: (draft: Draft, value: Value, field: FieldOf<K>) => boolean }

const sameLinked: SameTable = {
  choice: (draft, value) => isDeepStrictEqual(draft, value),
  reference: (draft, value) =>
    isDeepStrictEqual(draftsIn<ReferenceDraft>(draft).map(numberIn), Array.isArray(value) ? value : [value]),
  attachment: () => false,
  part: (draft, value, { fields }) => areSame(fields, draftsIn<PartDraft>(draft), partsIn(value)),
}

const isSameLinked = <K extends LinkedKind>(field: FieldOf<K>, draft: Draft, value: Value): boolean =>
  sameLinked[(field as Field).kind as K](draft, value, field)

const numberIn = (draft: ReferenceDraft): number | undefined => (draft.ref === 'id' ? draft.id : undefined)

const areSame = (fields: Fields, drafts: readonly PartDraft[], parts: readonly PartValue[]): boolean =>
  drafts.length === parts.length &&
  drafts.every(({ part, keeps = [] }, index) => {
    const { uuid: _, ...had } = parts[index] ?? { uuid: '' }
    const names = [...new Set([...Object.keys(part), ...Object.keys(had)])].filter((name) => !keeps.includes(name))
    return names.every((name) => isMember(fields[name], part, { name, value: had[name] }))
  })

interface Member {
  readonly name: string
  readonly value: Value | undefined
}

const isMember = (field: Field | undefined, part: Drafts, { name, value }: Member): boolean =>
  field !== undefined && isSame(field, part[name], value)
