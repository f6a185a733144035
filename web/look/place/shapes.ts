import type { KeptRecord } from '../../store/record.ts'
import { readWkt, type Shapes } from './wkt.ts'

const read = new WeakMap<object, Shapes>()

/** All that is drawn of an area; the same record is read once. */
export function shapesOf({ fields }: Pick<KeptRecord, 'fields'>): Shapes {
  const known = read.get(fields)
  if (known !== undefined) return known
  const all = wktOf({ fields }).map(readWkt)
  const shapes = {
    points: all.flatMap(({ points }) => points),
    lines: all.flatMap(({ lines }) => lines),
    areas: all.flatMap(({ areas }) => areas),
  }
  read.set(fields, shapes)
  return shapes
}

/** An area has any number of geometries, and often none. */
export function wktOf({ fields }: Pick<KeptRecord, 'fields'>): readonly string[] {
  const written = fields.geofield
  return (Array.isArray(written) ? written : [written]).flatMap((one) =>
    typeof one?.geom === 'string' ? [one.geom] : [],
  )
}
