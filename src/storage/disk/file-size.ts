import { statSync } from 'node:fs'

/** Null where there is no such file. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null

export const isFilled = (path: string): boolean => (sizeOf(path) ?? 0) > 0
