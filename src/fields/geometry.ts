import type { GeometryField } from './field.ts'
import { isTree, isUnfilled, type Place, shown } from './place.ts'
import { parseWkt } from './wkt/parser.ts'
import { WktError } from './wkt/wkt-error.ts'

export const geometry = (label: string, traits: Partial<GeometryField> = {}): GeometryField => ({
  kind: 'geometry',
  label,
  ...traits,
})

/** Well-Known Text, bare or as `{"geom": …}`; kept to the letter. */
export function takeGeometry(field: GeometryField, input: unknown, place: Place): string | undefined {
  if (isTree(input) && 'geom' in input) {
    if (isUnfilled(input)) return undefined
    return takeGeometry(field, input.geom, place.inside('geom'))
  }
  if (typeof input !== 'string')
    return place.fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input)}`)
  try {
    parseWkt(input)
    return input
  } catch (error) {
    if (error instanceof WktError) return place.fault(error.message)
    throw error
  }
}
