import type { GeoPoint } from './nearby.ts'

export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  const { value: text } = (value ?? {}) as { readonly value?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Replaces the text and keeps the format. */
export function richTextWith(value: unknown, text: string): unknown {
  if (text === '') return undefined
  return typeof value === 'object' && value !== null ? { ...value, value: text } : { value: text }
}

export function wktIn(value: unknown): string {
  if (typeof value === 'string') return value
  const { geom } = (value ?? {}) as { readonly geom?: unknown }
  return typeof geom === 'string' ? geom : ''
}

/** Six decimals: a tenth of a metre. */
export const wktOfPoint = ({ longitude, latitude }: GeoPoint): string =>
  `POINT (${longitude.toFixed(6)} ${latitude.toFixed(6)})`

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.every(isEmpty)
  return typeof value === 'object' && !(value instanceof Blob) && Object.values(value).every(isEmpty)
}
