import { admitAttachment } from './attachment.ts'
import { admitChoice } from './choice.ts'
import type { Field, FieldOf, Kind, PartField } from './field.ts'
import { admitGeometry } from './geometry.ts'
import { valueLimits } from './limits.ts'
import { admitWhole } from './number.ts'
import type { InputPlace } from './place.ts'
import { admitReference } from './reference.ts'
import { admitRichText, admitText } from './text.ts'
import { admitPeriod, admitTimestamp } from './time.ts'
import type { Draft, DraftOf, PartDraft } from './value.ts'

type Gate = { readonly [K in Kind]: (field: FieldOf<K>, draft: DraftOf[K], place: InputPlace) => Draft | undefined }

/** What is valid in each kind, whichever door it came through; what is not is a named fault. */
const gate: Gate = {
  text: admitText,
  'long-text': admitText,
  'rich-text': admitRichText,
  timestamp: admitTimestamp,
  period: admitPeriod,
  'yes-no': (_field, draft) => draft,
  whole: admitWhole,
  decimal: (_field, draft) => draft,
  choice: admitChoice,
  reference: admitReference,
  geometry: admitGeometry,
  attachment: admitAttachment,
  part: admitPart,
}

/** One value that a door has read; undefined where it is not valid, which the place has noted. */
export const admit = <K extends Kind>(field: FieldOf<K>, draft: DraftOf[K], place: InputPlace): Draft | undefined =>
  gate[field.kind as K](field, draft, place)

/** How many values a field may have. */
export function mostValues({ kind }: Field): number {
  if (kind === 'part') return valueLimits.partCount
  return kind === 'attachment' ? valueLimits.filesPerRecord : valueLimits.listLength
}

/** The fields of a part have passed one by one when it is put together. */
function admitPart({ fields }: PartField, draft: PartDraft, place: InputPlace): PartDraft {
  for (const name in fields) {
    if (fields[name]?.required && draft.part[name] === undefined) place.requireInside(name)
  }
  return draft
}
