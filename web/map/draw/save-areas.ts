import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { type FormReference, referenceTo } from '../../forms/reference.tsx'
import { isInside, labelPlaceOf } from '../../look/place/inside.ts'
import { shapesOf } from '../../look/place/shapes.ts'
import { offerUndo, whyOf } from '../../look/undo.tsx'
import { areas } from '../../store/local-copy.ts'
import { isArchived, type LocalRecord } from '../../store/record.ts'
import { type LocalChange, type SavedSet, save } from '../../sync/save.ts'
import { say } from '../../words/say.ts'
import { type Corner, crossesItself, planeOf, type ShapeForm, sizeOf, wktOf } from './geometry.ts'
import type { AreaDetails } from './naming-panel.tsx'

interface SaveOptions {
  readonly changes: readonly LocalChange[]
  /** Key of the draft. */
  readonly draft: string
  /** Text of the Undo toast. */
  readonly words: string
  /** `by-the-page` if the next page has its own Undo. */
  readonly shown?: Parameters<typeof offerUndo>[2]
  readonly onFault: (words: string) => void
}

/** Saves all changes as one set; undefined if the device cannot store them, which is reported. */
export async function saveAreas({ changes, draft, words, shown, onFault }: SaveOptions): Promise<SavedSet | undefined> {
  try {
    const saved = await save(changes, { draft })
    offerUndo([saved], words, shown)
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

export const reshapedArea = (area: LocalRecord, corners: readonly Corner[], form: ShapeForm): LocalChange => ({
  verb: 'change',
  type: 'term',
  uuid: area.uuid,
  fields: { geofield: geofieldOf(corners, form) },
  read: area,
})

export const areaNames = (): ReadonlySet<string> => new Set(areas().map(({ name }) => name))

/** Smallest area that contains the centre of the corners. */
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

/** Fault that makes the corners no valid area. */
export function shapeFault(corners: readonly Corner[]): string | undefined {
  if (corners.length < 4) return undefined
  return crossesItself(corners.map(planeOf(corners).onPlane)) ? say('draw.crosses') : undefined
}
