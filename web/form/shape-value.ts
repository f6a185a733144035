import type { Point } from './exif.ts'

export function wktIn(value: unknown): string {
  if (typeof value === 'string') return value
  const { geom } = (value ?? {}) as { readonly geom?: unknown }
  return typeof geom === 'string' ? geom : ''
}

/** A millionth of a degree is a tenth of a metre. */
export const wktOfPoint = ({ longitude, latitude }: Point): string =>
  `POINT (${longitude.toFixed(6)} ${latitude.toFixed(6)})`
