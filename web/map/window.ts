import type { Extent } from '../look/place/mercator.ts'

/** Which part of the ground the canvas shows. */
export interface MapWindow {
  readonly extent: Extent
  /** Metres of the map in a pixel of the style sheet. */
  readonly resolution: number
  readonly width: number
  readonly height: number
  /** Pixels of the device in one of the style sheet. */
  readonly ratio: number
}

export const across = ({ extent, resolution }: MapWindow, x: number): number => (x - extent[0]) / resolution
export const down = ({ extent, resolution }: MapWindow, y: number): number => (extent[3] - y) / resolution
