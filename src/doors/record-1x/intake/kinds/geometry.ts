import type { GeometryField } from '../../../../fields/field.ts'
import { type InputPlace, isTree, isUnfilled, shown } from '../../../../fields/place.ts'

/** Well-Known Text, bare or as `{"geom": …}`. */
export function readGeometry(field: GeometryField, input: unknown, place: InputPlace): string | undefined {
  if (isTree(input) && 'geom' in input) {
    if (isUnfilled(input)) return undefined
    return readGeometry(field, input.geom, place)
  }
  if (typeof input === 'string') return input
  return place.fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input)}`)
}
