import type { Field, PartField } from '../../fields/field.ts'
import { once } from '../fields-of.ts'

/** A field inside a part, as the newer generation shows it. */
export interface PartMember {
  /** What the part itself calls it. */
  readonly own: string
  readonly name: string
  readonly field: Field
}

/** What the newer generation shows of a part. */
export const partMembers = once((part: PartField): readonly PartMember[] =>
  Object.entries(part.fields).flatMap(([own, field]) =>
    field.newer?.joined ? [] : [{ own, name: field.newer?.name ?? own, field }],
  ),
)
