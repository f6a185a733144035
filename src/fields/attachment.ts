import type { AttachmentField } from './field.ts'
import { pixelsOf } from './image-size.ts'
import { valueLimits } from './limits.ts'
import type { InputPlace } from './place.ts'
import { faultOfLine } from './text.ts'
import type { FileDraft } from './value.ts'

export const attachments = (
  label: string,
  accepts: AttachmentField['accepts'],
  traits: Partial<AttachmentField> = {},
): AttachmentField => ({ kind: 'attachment', label, many: true, accepts, ...traits })

export const accepts = (field: AttachmentField, mime: string): boolean =>
  field.accepts === 'any' || /^image\//i.test(mime)

export const imagesOnly = (mime: string): string => `takes images only, not ${mime}; put it under files`

const tooManyPixels = `the image has more than ${valueLimits.imagePixels / 1_000_000} million pixels`

/** The farm decides whether the file exists, and how large a new one may be. */
export function validateAttachment(field: AttachmentField, draft: FileDraft, place: InputPlace): FileDraft | undefined {
  if (draft.file !== 'new') return draft
  if (!accepts(field, draft.mime)) return place.fault(imagesOnly(draft.mime), ['image/*'])
  const fault = faultOfLine(draft.name ?? '')
  if (fault !== null) return place.inside('name').fault(fault)
  return pixelsOf(draft.bytes) > valueLimits.imagePixels ? place.fault(tooManyPixels) : draft
}
