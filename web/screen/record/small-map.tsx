import type { JSX } from 'preact'
import type { PlaceMapProps } from '../../look/place/place-map.tsx'
import { wktOf } from '../../look/place/shapes.ts'
import { later } from '../later.tsx'

/** It comes after the page, whose words nobody should wait for. */
export const smallMap = later(() => import('../../look/place/place-map.tsx'))

/** An area and what lies around it, in a place that is kept free for it; nothing where it is not drawn. */
export function SmallMap(props: PlaceMapProps): JSX.Element | null {
  if (wktOf(props.area).length === 0) return null
  return smallMap.show(({ PlaceMap }) => <PlaceMap {...props} />, <div class="mini" />)
}
