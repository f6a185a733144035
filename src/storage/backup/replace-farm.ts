import type { StoragePlace } from '../disk/cannot-open.ts'
import { replaceFile } from './replace-file.ts'
import type { Fill, ReplaceOptions } from './replacement.ts'

/**
 * Puts a new farm in the place of the old one, all at once: until the last moment, and whenever `fill` fails or the process
 * dies, the old one is untouched. Answers where the old one is kept, or null where there was none.
 */
export async function replaceFarm(place: StoragePlace, options: ReplaceOptions, fill: Fill): Promise<string | null> {
  if (place.database === null) return replaceFile(place.data, options, fill)
  const { replaceTables } = await import('./replace-tables.ts')
  return replaceTables(place.database, options, fill)
}
