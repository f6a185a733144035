import type { PartDraft } from '../../../fields/value.ts'
import { draftGiven, type FieldDrafts, type Given } from './given.ts'

/** A value is kept as a decimal, and beside it the fraction that it was written as where that is none. */
export function fractionDrafts(given: Given): FieldDrafts {
  const { value, fraction } = (draftGiven(given, 'fraction') as PartDraft | undefined)?.part ?? {}
  return { value, fraction }
}
