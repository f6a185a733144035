import { squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { type Reference, referenceTo } from '../../form/reference-value.ts'
import { isInside, labelPlaceOf } from '../../look/place/inside.ts'
import { shapesOf } from '../../look/place/shapes.ts'
import { areas } from '../../store/local-copy.ts'
import { isArchived, type KeptRecord } from '../../store/record.ts'

import type { LocalChange } from '../../sync/save.ts'
import { type Corner, type Form, sizeOf, wktOf } from './corners.ts'
import type { Naming } from './naming.tsx'

const geofieldOf = (corners: readonly Corner[], form: Form) => [{ geom: wktOf(corners, form) }]

export const madeArea = (
  uuid: string,
  corners: readonly Corner[],
  { name, type, parent, form }: Naming,
): LocalChange => ({
  verb: 'make',
  type: 'term',
  bundle: 'farm_areas',
  uuid,
  fields: {
    name: name.trim(),
    area_type: type,
    geofield: geofieldOf(corners, form),
    ...(parent.length === 0 ? {} : { parent }),
  },
})

export const reshapedArea = (area: KeptRecord, corners: readonly Corner[], form: Form): LocalChange => ({
  verb: 'change',
  type: 'term',
  uuid: area.uuid,
  fields: { geofield: geofieldOf(corners, form) },
  read: area,
})

export const areaNames = (): ReadonlySet<string> => new Set(areas().map(({ name }) => name))

/** The smallest area that has the middle of the corners in it. */
export function areaAround(corners: readonly Corner[]): readonly Reference[] {
  const [first] = corners
  if (first === undefined) return []
  const [size, middle] = [sizeOf(corners), labelPlaceOf([[...corners, first].flat()])]
  const around = areas().flatMap((area) => {
    const shapes = shapesOf(area)
    const isAround = !isArchived(area) && shapes.areas.some((rings) => isInside(rings, ...middle))
    const squareMetres = isAround ? squareMetresOf(shapes) : 0
    return squareMetres > size ? [{ area, squareMetres }] : []
  })
  const [smallest] = around.sort((one, other) => one.squareMetres - other.squareMetres)
  return smallest === undefined ? [] : [referenceTo(smallest.area)]
}
