import type { Farm } from '../../../farm/farm.ts'
import { partMembers } from '../../../farm/newer/members.ts'
import { newerWord } from '../../../farm/newer/words.ts'
import { type Field, type FieldKind, type FieldOf, isMany } from '../../../fields/field.ts'
import type { PartValue, Period, RichText, Value } from '../../../fields/value.ts'
import { spellGeometry } from './geometry.ts'
import { spellPeriod } from './period.ts'
import { spellRichText } from './rich-text.ts'
import { spellTime } from './time.ts'

type Spelling = { readonly [K in FieldKind]: (value: Value, field: FieldOf<K>, farm: Farm) => unknown }

const asIs = (value: Value): unknown => value

/** How one value of each kind is written as an attribute. */
const spelling: Spelling = {
  text: asIs,
  'long-text': asIs,
  'rich-text': (value) => spellRichText(value as RichText),
  timestamp: (value, { unset }) => (value === unset ? null : spellTime(Number(value))),
  period: (value) => spellPeriod(value as Period),
  'yes-no': asIs,
  whole: asIs,
  decimal: asIs,
  choice: (value, { list }, farm) => newerWord(farm, list, String(value)),
  // Inside parts only, by number: elsewhere references and files are relationships.
  reference: asIs,
  attachment: asIs,
  geometry: (value) => spellGeometry(valuesIn(value).map(String)),
  part: (value, field, farm) => spellPart(field, value as PartValue, farm),
}

/** One attribute, always there: null or an empty list where there is no value, and false for what nobody has said yes to. */
export function spellAttribute<K extends FieldKind>(field: FieldOf<K>, value: Value | undefined, farm: Farm): unknown {
  const spell = spelling[field.kind as K]
  if (isListed(field)) return valuesIn(value).map((one) => spell(one, field, farm))
  if (value === undefined) return field.kind === 'yes-no' ? false : null
  return spell(value, field, farm)
}

/** Several geometries are shown as one. */
const isListed = (field: Field): boolean => isMany(field) && field.kind !== 'geometry'

function valuesIn(value: Value | undefined): readonly Value[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as Value]
}

const spellPart = (field: FieldOf<'part'>, part: PartValue, farm: Farm): Record<string, unknown> =>
  Object.fromEntries(partMembers(field).map(({ own, name, field }) => [name, spellAttribute(field, part[own], farm)]))
