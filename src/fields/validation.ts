import { validateAttachment } from './attachment.ts'
import { validateChoice } from './choice.ts'
import type { Field, FieldKind, FieldOf, PartField } from './field.ts'
import { plainRules } from './kinds.ts'
import { valueLimits } from './limits.ts'
import type { InputPlace } from './place.ts'
import { validateReference } from './reference.ts'
import type { Draft, DraftOf, PartDraft } from './value.ts'

type Validators = {
  readonly [K in FieldKind]: (field: FieldOf<K>, draft: DraftOf[K], place: InputPlace) => Draft | undefined
}

/** What is valid in each kind, whichever door it came through; what is not is a named fault. */
const validators: Validators = {
  ...plainRules('validate'),
  choice: validateChoice,
  reference: validateReference,
  attachment: validateAttachment,
  part: validatePart,
}

/** One value that a door has read; undefined where it is not valid, which the place has noted. */
export const validateValue = <K extends FieldKind>(
  field: FieldOf<K>,
  draft: DraftOf[K],
  place: InputPlace,
): Draft | undefined => validators[field.kind as K](field, draft, place)

/** How many values a field may have. */
export function mostValues({ kind }: Field): number {
  if (kind === 'part') return valueLimits.partCount
  return kind === 'attachment' ? valueLimits.filesPerRecord : valueLimits.listLength
}

/** The fields of a part have passed one by one when it is put together. */
function validatePart({ fields }: PartField, draft: PartDraft, place: InputPlace): PartDraft {
  for (const name in fields) {
    if (fields[name]?.required && draft.part[name] === undefined) place.requireInside(name)
  }
  return draft
}
