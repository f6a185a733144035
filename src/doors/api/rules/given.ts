import type { Farm } from '../../../farm/farm.ts'
import type { MemberRule, ResourceType } from '../../../farm/newer/resource-type.ts'
import type { Fields } from '../../../fields/field.ts'
import type { InputPlace } from '../../../fields/place.ts'
import type { Draft, ReferenceDraft, Values } from '../../../fields/value.ts'
import type { NumberedThing } from '../wire/thing.ts'

/** What was sent of one member: the draft of an attribute, or what a relationship leads to. */
export type GivenMember =
  | { readonly is: 'attribute'; readonly draft: Draft | undefined; readonly place: InputPlace }
  | { readonly is: 'relationship'; readonly things: readonly NumberedThing[]; readonly place: InputPlace }

/** What a writer says of the members that are more than one field. */
export interface Given {
  readonly farm: Farm
  readonly type: ResourceType
  /** Those of the record, as they are kept. */
  readonly fields: Fields
  readonly members: ReadonlyMap<MemberRule, GivenMember>
  /** What the record says; nothing where it is new. */
  readonly before: Values
  readonly now: number
}

/** Drafts of the fields that a record keeps; undefined empties one. */
export type FieldDrafts = Readonly<Record<string, Draft | undefined>>

export function draftGiven({ members }: Given, rule: MemberRule): Draft | undefined {
  const member = members.get(rule)
  return member?.is === 'attribute' ? member.draft : undefined
}

/** What a relationship leads to; undefined where it was not sent. */
export function thingsGiven({ members }: Given, rule: MemberRule): readonly NumberedThing[] | undefined {
  const member = members.get(rule)
  return member?.is === 'relationship' ? member.things : undefined
}

export const idsAmong = (things: readonly NumberedThing[], of: NumberedThing['of']): readonly number[] =>
  things.flatMap((thing) => (thing.of === of ? [thing.id] : []))

/** References to several; none at all empties the field. */
export const references = (ids: readonly number[]): readonly ReferenceDraft[] | undefined =>
  ids.length === 0 ? undefined : [...new Set(ids)].map((id) => ({ ref: 'id', id }))
