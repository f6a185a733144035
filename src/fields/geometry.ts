import type { GeometryField } from './field.ts'
import type { InputPlace } from './place.ts'
import { parseWkt } from './wkt/parser.ts'
import { WktError } from './wkt/scanner.ts'

export const geometry = <const T extends Partial<GeometryField>>(label: string, traits?: T): GeometryField & T => ({
  kind: 'geometry',
  label,
  ...(traits as T),
})

/** Well-Known Text, kept to the letter. */
export function validateGeometry(_field: GeometryField, wkt: string, place: InputPlace): string | undefined {
  try {
    parseWkt(wkt)
    return wkt
  } catch (error) {
    if (error instanceof WktError) return place.fault(error.message)
    throw error
  }
}
