import type { Corner } from './corners.ts'
import { planeAt } from './plane.ts'

export interface Size {
  /** Metres. */
  readonly length: number
  readonly width: number
  /** Of the length, in degrees from north by east. */
  readonly angle: number
}

/** A rectangle around a place. */
export function rectangleAt(middle: Corner, { length, width, angle }: Size): readonly Corner[] {
  const turn = (angle * Math.PI) / 180
  const [along, beside] = [
    [Math.sin(turn), Math.cos(turn)],
    [Math.cos(turn), -Math.sin(turn)],
  ] as const
  const { onGround } = planeAt(middle)
  return corners.map(([up, right]) =>
    onGround([
      (up * length * along[0] + right * width * beside[0]) / 2,
      (up * length * along[1] + right * width * beside[1]) / 2,
    ]),
  )
}

const corners = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const
