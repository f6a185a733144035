import type { OlderField } from '../../../farm/older-fields.ts'
import { type Field, isMany } from '../../../fields/field.ts'
import type { PartValue, Value, Values } from '../../../fields/value.ts'
import { combineWkt } from '../../../fields/wkt/combination.ts'
import { drawableGeometry } from '../../../fields/wkt/drawable-geometry.ts'
import type { Geometry } from '../../../fields/wkt/geometry.ts'
import { parseKeptWkt } from '../../../fields/wkt/parser.ts'

type Shown = ReadonlyMap<string, OlderField>

/** The shape of a record as maps show it; null where it has none. */
export function geometryIn(fields: Shown, values: Values): Geometry | null {
  const wkts = wktsIn(fields, values)
  return wkts.length === 0 ? null : drawableGeometry(parseKeptWkt(combineWkt(wkts)))
}

export const hasPlace = (fields: Shown, values: Values): boolean => wktsIn(fields, values).length > 0

/** Where it is: what is worked out, else what the record itself says, else what a part of it does, as a movement. */
function wktsIn(fields: Shown, values: Values): readonly string[] {
  const all = [...fields.values()]
  const own = all.flatMap(({ own, field }) => wktsOf(field, values[own]))
  const computed = all.flatMap(({ own, field }) => (field.computed ? wktsOf(field, values[own]) : []))
  const saying = computed.length > 0 ? computed : own
  return saying.length > 0 ? saying : all.flatMap((older) => wktsInParts(older, values))
}

const wktsOf = (field: Field, value: Value | undefined): readonly string[] =>
  field.kind !== 'geometry' || value === undefined || value === '' ? [] : ([value].flat() as readonly string[])

const wktsInParts = ({ own, field }: OlderField, values: Values): readonly string[] =>
  field.kind !== 'part' || isMany(field)
    ? []
    : Object.entries(field.fields).flatMap(([name, inside]) =>
        wktsOf(inside, (values[own] as PartValue | undefined)?.[name]),
      )
