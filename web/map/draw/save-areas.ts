import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { type FormReference, referenceTo } from '../../forms/reference.tsx'
import { isInside, labelPlaceOf } from '../../look/place/inside.ts'
import { shapesOf } from '../../look/place/shapes.ts'
import { offerUndo, whyOf } from '../../look/undo.tsx'
import { areas } from '../../store/local-copy.ts'
import { isArchived, type KeptRecord } from '../../store/record.ts'
import { type LocalChange, type SavedSet, save } from '../../sync/save.ts'
import { say } from '../../words/say.ts'
import { type Corner, crossesItself, planeOf, type ShapeForm, sizeOf, wktOf } from './geometry.ts'
import type { AreaDetails } from './naming-panel.tsx'

interface SaveOptions {
  readonly changes: readonly LocalChange[]
  /** What it was kept in until now. */
  readonly draft: string
  /** What is said of it, with the way back. */
  readonly words: string
  readonly onFault: (words: string) => void
}

/** All of it or nothing, as one set; undefined where the device cannot keep it, which it then says. */
export async function saveAreas({ changes, draft, words, onFault }: SaveOptions): Promise<SavedSet | undefined> {
  try {
    const saved = await save(changes, { draft })
    offerUndo([saved], words)
    return saved
  } catch (fault) {
    onFault(say('draw.not-saved', { why: whyOf(fault) }))
    return undefined
  }
}

const geofieldOf = (corners: readonly Corner[], form: ShapeForm) => [{ geom: wktOf(corners, form) }]

export const newArea = (
  uuid: string,
  corners: readonly Corner[],
  { name, type, parent, form }: AreaDetails,
): LocalChange => ({
  verb: 'make',
  type: 'term',
  bundle: areaBundle,
  uuid,
  fields: {
    name: name.trim(),
    area_type: type,
    geofield: geofieldOf(corners, form),
    ...(parent.length === 0 ? {} : { parent }),
  },
})

export const reshapedArea = (area: KeptRecord, corners: readonly Corner[], form: ShapeForm): LocalChange => ({
  verb: 'change',
  type: 'term',
  uuid: area.uuid,
  fields: { geofield: geofieldOf(corners, form) },
  read: area,
})

export const areaNames = (): ReadonlySet<string> => new Set(areas().map(({ name }) => name))

/** The smallest area that has the middle of the corners in it. */
export function areaAround(corners: readonly Corner[]): readonly FormReference[] {
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

/** What nobody could make an area of. */
export function shapeFault(corners: readonly Corner[]): string | undefined {
  if (corners.length < 4) return undefined
  return crossesItself(corners.map(planeOf(corners).onPlane)) ? say('draw.crosses') : undefined
}
