import { createHash } from 'node:crypto'

/** A short word for what a figure counts; the same for the same. */
export const keyOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
