import type { RecordTypeName } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { Refusal } from '../../../refusal.ts'

/** A conflict names the records that stand in the way: here by their addresses. */
export function inItsWords(refusal: Refusal): Refusal {
  if (refusal.refusal !== 'conflict' && refusal.refusal !== 'not-undoable') return refusal
  const faults = (refusal.details.faults ?? []).map(({ field, ...fault }) => ({
    ...fault,
    // The pattern lets only names of record types through.
    field: field.replace(/^(?:log|asset|term)(?=\/\d+$)/, (type) => resourceNames[type as RecordTypeName]),
  }))
  return new Refusal(refusal.refusal, refusal.message, { ...refusal.details, faults })
}
