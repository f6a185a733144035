import type { Corner } from './corners.ts'
import { crossesItself } from './crossing.ts'
import { planeOf } from './plane.ts'
import { say } from './say.ts'

/** What nobody could make an area of. */
export function faultIn(corners: readonly Corner[]): string | undefined {
  if (corners.length < 4) return undefined
  return crossesItself(corners.map(planeOf(corners).onPlane)) ? say('draw.crosses') : undefined
}
