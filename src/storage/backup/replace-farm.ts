import type { Place } from '../place.ts'
import { replaceFile } from './replace-file.ts'
import type { Fill, Wish } from './replacement.ts'

/**
 * Puts a new farm in the place of the old one, all at once: until the last moment, and whenever `fill` fails or the process
 * dies, the old one is untouched. Answers where the old one is kept, or null where there was none.
 */
export async function replaceFarm(place: Place, wish: Wish, fill: Fill): Promise<string | null> {
  if (place.database === null) return replaceFile(place.data, wish, fill)
  const { replaceTables } = await import('./replace-tables.ts')
  return replaceTables(place.database, wish, fill)
}
