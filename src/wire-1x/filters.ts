import type { RecordType } from '../farm/farm.ts'
import { allOlderFields, type KnownOlderField, olderWords, once, partlyHidden } from '../farm/fields-of.ts'
import type { Field, Fields } from '../fields/field.ts'
import { comparesAsText } from '../fields/kinds.ts'
import { placeAt, shown } from '../fields/place.ts'
import { uuidIn, wholeNumber, yesNoWords, yesOrNo } from '../fields/scalars.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { singly } from '../records/finding/conditions.ts'
import { badQuery, type FilterValue, isFilterable, type RecordFilter } from '../records/finding/filter.ts'
import type { RefusalFault } from '../refusal.ts'
import { type Operator, operators } from '../storage/records/condition.ts'
import { readField } from './read-field.ts'
import { type BodyContext, presentName, vocabularyIn } from './record-draft.ts'

/** Words in brackets that say no more than the name does: `asset[target_id]=1`. */
const synonyms: readonly string[] = ['id', 'tid', 'vid', 'uid', 'target_id', 'value', 'geom']

/** Groups the entries of a query into filters: one field under one of its names, one operator, several values. */
export function filtersIn(
  intake: BodyContext,
  type: RecordType,
  entries: readonly QueryEntry[],
): readonly RecordFilter[] {
  const filters = new Map<string, RecordFilter>()
  for (const entry of entries) {
    const known = filteredField(type, entry)
    const hidden = partlyHidden(type).has(known.own) ? { partlyHidden: true as const } : {}
    const asking = { ...narrowed(entry, known), bundles: known.bundles, ...hidden }
    const filter = { ...asking, values: filterValues(intake, { ...asking, choice: known.choice }, entry.value) }
    const key = `${filter.asked} ${filter.operator}`
    const earlier = filters.get(key)
    filters.set(key, earlier === undefined ? filter : { ...earlier, values: [...earlier.values, ...filter.values] })
  }
  return [...filters.values()]
}

function filteredField(type: RecordType, { name }: QueryEntry): KnownOlderField {
  const known = allOlderFields(type)
  const found = known.get(filteredIn(type, name))
  if (found !== undefined && isFilterable(found.field)) return found
  const filterable = [...known].flatMap(([own, { field }]) => (isFilterable(field) ? [own] : []))
  throw badQuery(name, 'is not a field that can be filtered', [...new Set(['bundle', 'id', 'uuid', ...filterable])])
}

/** The field that a filter means by a name. */
export const filteredIn = (type: RecordType, name: string): string =>
  name === 'uuid' ? type.idName : namedIn(type, name)

/** The field that a query means by a name. */
export function namedIn(type: RecordType, sent: string): string {
  const fields = fieldsByName(type)
  const isPrefixed = sent.startsWith('property_') && !Object.hasOwn(fields, sent)
  const name = presentName(isPrefixed ? sent.slice('property_'.length) : sent, fields)
  if (name === 'bundle') return type.bundleName
  return name === 'id' && !Object.hasOwn(fields, 'id') ? type.idName : name
}

const fieldsByName = once(
  (type: RecordType): Fields => Object.fromEntries([...allOlderFields(type)].map(([name, { field }]) => [name, field])),
)

type FilterPath = Omit<RecordFilter, 'bundles' | 'values'> & {
  /** True if its values are UUIDs. */
  readonly byUuid: boolean
}

/** Follows the brackets: into a part, past words that add nothing, to an operator. */
function narrowed(entry: QueryEntry, { own, field: top }: KnownOlderField): FilterPath {
  let field = top
  let path = own
  let asked = entry.name
  let operator: Operator | undefined
  let byUuid = entry.name === 'uuid'
  for (const bracket of entry.brackets) {
    if (field.kind === 'part' && Object.hasOwn(field.fields, bracket)) {
      path = `${path}.${bracket}`
      asked = `${asked}[${bracket}]`
      field = field.fields[bracket] ?? field
    } else if (isOperator(bracket)) {
      if (operator !== undefined)
        throw badQuery(asked, `[${operator}][${bracket}] are two operators; ask with one each`)
      operator = bracket
    } else if (bracket === 'uuid' && hasUuid(field)) {
      byUuid = true
    } else if (!/^\d*$/.test(bracket) && !synonyms.includes(bracket)) {
      const allowed = field.kind === 'part' ? [...Object.keys(field.fields), ...operators] : operators
      throw badQuery(asked, `[${bracket}] is not an operator`, allowed)
    }
  }
  return { asked, path, field, operator: operator ?? 'eq', byUuid }
}

export const hasUuid = (field: Field): boolean =>
  field.kind === 'attachment' || (field.kind === 'reference' && field.to !== 'user' && field.to !== 'vocabulary')

const isOperator = (word: string): word is Operator => (operators as readonly string[]).includes(word)

interface FilterField extends FilterPath {
  readonly choice: KnownOlderField['choice']
}

function filterValues(intake: BodyContext, asked: FilterField, value: string): readonly FilterValue[] {
  const { choice, operator } = asked
  if (choice === undefined || (operator !== 'eq' && operator !== 'ne')) return [filterValue(intake, asked, value)]
  const { yes } = choice.asYesNo
  const isYes = value !== '' && readValue(intake, asked, value) === true
  const words = isYes ? [yes] : wordsBut(intake, choice.list, yes)
  return words.map((word) => ({ is: 'value', value: word }))
}

/** Every other word counts as no, and so does a missing one. */
const wordsBut = ({ farm }: BodyContext, list: string, yes: string): readonly string[] =>
  (farm.lists[list] ?? []).flatMap(({ value }) => (value === yes ? [] : [value]))

/** An empty value asks for records where the field is empty. */
function filterValue(intake: BodyContext, asked: FilterField, value: string): FilterValue {
  const { field, operator } = asked
  if (value === '') {
    if (operator === 'eq' || operator === 'ne') return { is: 'empty' }
    throw badQuery(asked.asked, `[${operator}] needs a value`)
  }
  if (asked.byUuid) return uuidValue(asked, value)
  if (field.kind === 'part') {
    const parts = Object.keys(field.fields).map((name) => `${asked.asked}[${name}]`)
    throw badQuery(asked.asked, 'say which part of it', parts)
  }
  if (field.kind === 'reference' && field.to === 'term') return { is: 'term', name: value, id: wholeNumber(value) }
  if (field.kind === 'timestamp' && field.unset !== undefined) return sinceWhen(intake, asked, value)
  return { is: 'value', value: plainValue(intake, asked, value) }
}

function uuidValue({ asked, operator }: FilterPath, value: string): FilterValue {
  const uuid = uuidIn(value)
  if (uuid === undefined) throw badQuery(asked, `${shown(value)} is not a UUID`)
  if (operator === 'eq' || operator === 'ne') return { is: 'uuid', uuid }
  throw badQuery(asked, `[${operator}] does not apply to a UUID`, ['eq', 'ne'])
}

function plainValue(intake: BodyContext, asked: FilterField, value: string): string | number | boolean {
  const { field, path } = asked
  if (path === 'vocabulary') return vocabularyIn(intake, value) ?? value
  if (field.kind === 'reference' || field.kind === 'attachment' || path === 'id' || path === 'tid')
    return idIn(asked, value)
  if (comparesAsText(field)) return value
  return readValue(intake, asked, value)
}

function idIn({ asked }: FilterPath, value: string): number {
  const id = wholeNumber(value)
  if (id === undefined) throw badQuery(asked, `${shown(value)} is not an id`)
  return id
}

function readValue({ farm }: BodyContext, { asked, field }: FilterPath, value: string): string | number | boolean {
  const faults: RefusalFault[] = []
  const read = readField(singly(field), value, placeAt(asked, { faults, words: (list) => olderWords(farm, list) }))
  const [fault] = faults
  if (fault !== undefined) throw badQuery(asked, fault.message, fault.allowed)
  // Numbers, times and yes-no, the kinds that are left, are their own values.
  return read as string | number | boolean
}

/** Clients ask for it as for a yes or no; a time that is none of those words is compared as it stands. */
function sinceWhen(intake: BodyContext, asked: FilterField, value: string): FilterValue {
  const { operator } = asked
  if (operator === 'eq' || operator === 'ne') {
    // Nothing was archived in the first second of 1970, so 1 means yes.
    const isSet = yesOrNo(value)
    if (isSet !== undefined) return { is: isSet ? 'filled' : 'empty' }
    if (wholeNumber(value) === undefined) {
      const message = `must be yes or no, or a Unix timestamp in whole seconds, not ${shown(value)}`
      throw badQuery(asked.asked, message, yesNoWords)
    }
  }
  return { is: 'value', value: readValue(intake, asked, value) }
}
