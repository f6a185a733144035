import type { Farm } from '../../../farm/farm.ts'
import { olderWords } from '../../../farm/fields-of.ts'
import { type Field, type FieldKind, type FieldOf, isMany, type ReferableType } from '../../../fields/field.ts'
import { valueLimits } from '../../../fields/limits.ts'
import { listOf, nullable, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { orNull } from './value-schemas.ts'

/** What the schema of a field takes beside the field. */
export interface Describing {
  readonly farm: Farm
  /** The component under which a part is described. */
  partName(part: FieldOf<'part'>): string
}

type SchemaTable = { readonly [K in FieldKind]: (field: FieldOf<K>, describing: Describing) => Schema }

const text: Schema = { type: 'string' }
const orNoText = nullable(text)
const orEmptyList = (name: string): Schema => ({ anyOf: [schemaRef(name), schemaRef('EmptyList')] })

const word = ({ open, list }: FieldOf<'choice'>, farm: Farm, words: readonly string[]): Schema =>
  open
    ? { type: 'string', minLength: 1, maxLength: valueLimits.flagLength, examples: olderWords(farm, list) }
    : { type: 'string', enum: words }

/** What was written in the newer generation is shown, whether this one has the word or not. */
const shownWord = (field: FieldOf<'choice'>, farm: Farm): Schema =>
  word(field, farm, farm.lists[field.list]?.map(({ value }) => value) ?? [])

/** One value of each kind as an answer has it, or as it says that there is none. */
const shown: SchemaTable = {
  text: (field) => (isMany(field) ? text : orNoText),
  'long-text': (field) => (field.takesRich ? text : orNoText),
  'rich-text': () => orEmptyList('RichText'),
  timestamp: (field) => (field.unset === undefined ? orNull('Timestamp') : schemaRef('Timestamp')),
  period: () => orEmptyList('Period'),
  'yes-no': (field) => (field.asDigit ? schemaRef('YesNoDigit') : { type: 'boolean' }),
  whole: () => orNull('Whole'),
  decimal: () => orNull('Decimal'),
  choice: (field, { farm }) => (isMany(field) ? shownWord(field, farm) : nullable(shownWord(field, farm))),
  reference: () => schemaRef('Reference'),
  geometry: (field) => (isMany(field) ? schemaRef('Geometry') : orNull('WellKnownText')),
  attachment: () => schemaRef('File'),
  part: (field, { partName }) => schemaRef(partName(field)),
}

const referenceNames: Readonly<Partial<Record<ReferableType, string>>> = {
  term: 'GivenTermReference',
  user: 'GivenUserReference',
  vocabulary: 'GivenUserReference',
}

/** One value of each kind as a writer is advised to give it; the interface forgives more than this. */
const given: SchemaTable = {
  text: (field) => ({ type: 'string', maxLength: field.maxLength }),
  'long-text': (field) => ({ type: 'string', maxLength: field.maxLength }),
  'rich-text': () => schemaRef('GivenRichText'),
  timestamp: () => schemaRef('GivenTimestamp'),
  period: () => schemaRef('GivenPeriod'),
  'yes-no': () => schemaRef('GivenYesNo'),
  whole: () => schemaRef('GivenWhole'),
  decimal: () => schemaRef('GivenDecimal'),
  choice: (field, { farm }) => word(field, farm, olderWords(farm, field.list)),
  reference: ({ to }) => schemaRef(referenceNames[to] ?? 'GivenReference'),
  geometry: (field) => schemaRef(isMany(field) ? 'Geometry' : 'WellKnownText'),
  attachment: () => schemaRef('GivenFile'),
  part: (field, { partName }) => schemaRef(`${partName(field)}_given`),
}

export const shownSchema = (field: Field, describing: Describing): Schema =>
  many(field, oneFrom(shown, field, describing))

/** Null empties a field, so it is for those that may be empty. */
export function givenSchema(field: Field, describing: Describing): Schema {
  const value = many(field, oneFrom(given, field, describing))
  return field.required ? value : nullable(value)
}

const oneFrom = <K extends FieldKind>(table: SchemaTable, field: FieldOf<K>, describing: Describing): Schema =>
  table[field.kind as K](field, describing)

const many = (field: Field, one: Schema): Schema => (isMany(field) ? listOf(one) : one)
