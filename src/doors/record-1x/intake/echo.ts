import type { Farm } from '../../../farm/farm.ts'
import { olderWords } from '../../../farm/fields-of.ts'
import { isOnlyNewer, type OlderField } from '../../../farm/older-fields.ts'
import { type Field, type Fields, isMany } from '../../../fields/field.ts'
import type { Draft, PartDraft, PartValue, RichText, Value, Values } from '../../../fields/value.ts'

/**
 * What a record was shown to say, and says again: this interface shows less than is kept, so a value that comes back as it was shown stays
 * what it was. A yes or no may stand for more than two words, and every text is shown in one format.
 */
export function asItWas({ field, choice }: OlderField, draft: Draft | undefined, before: Value | undefined) {
  if (choice === undefined) return draft === undefined ? undefined : kept(field, draft, before)
  const { yes, no } = choice.asYesNo
  const isStillNo = (draft ?? no) === no && typeof before === 'string' && before !== yes
  return isStillNo ? before : draft
}

function kept(field: Field, draft: Draft, before: Value | undefined): Draft {
  if (before === undefined) return draft
  if (field.kind === 'rich-text') return textOf(draft) === textOf(before) ? (before as RichText) : draft
  if (field.kind !== 'part') return draft
  if (!isMany(field)) return keptInside(field.fields, draft as PartDraft, before as PartValue)
  const parts = before as readonly PartValue[]
  return (draft as readonly PartDraft[]).map((part, index) => keptInside(field.fields, part, parts[index]))
}

const textOf = (text: Draft | Value): string => (text as RichText).value

function keptInside(fields: Fields, draft: PartDraft, before: PartValue | undefined): PartDraft {
  const part: Record<string, Draft> = { ...draft.part }
  for (const name in part) {
    const [field, value] = [fields[name], part[name]]
    if (field !== undefined && value !== undefined) part[name] = kept(field, value, before?.[name])
  }
  return { ...draft, part }
}

/** The words of each list that are taken: those of this interface, and those that the record has already. */
export function wordsTaken(farm: Farm, fields: Fields, before?: Values): (list: string) => readonly string[] {
  if (before === undefined) return (list) => olderWords(farm, list)
  return (list) => {
    const newer = (farm.lists[list] ?? []).filter(isOnlyNewer).map(({ value }) => value)
    if (newer.length === 0) return olderWords(farm, list)
    const had = wordsIn(fields, before, list)
    return [...olderWords(farm, list), ...newer.filter((word) => had.has(word))]
  }
}

function wordsIn(fields: Fields, values: Readonly<Record<string, Value | undefined>>, list: string): Set<Value> {
  const words = new Set<Value>()
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined) continue
    const each = Array.isArray(value) ? value : [value]
    if (field.kind === 'choice' && field.list === list) for (const word of each) words.add(word)
    if (field.kind === 'part')
      for (const part of each) for (const word of wordsIn(field.fields, part, list)) words.add(word)
  }
  return words
}
